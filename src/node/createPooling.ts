import { resolve } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { ChainView } from '../chain/view.ts'
import type { Config } from '../config/options.ts'
import { verifySidecar } from '../evm/kzg/verifySidecar.ts'
import { type Amount, weightOf } from '../pool/amount.ts'
import { createCongestion } from '../pool/congestion.ts'
import { createPool } from '../pool/createPool.ts'
import { createIntake, type Intake, type IntakePorts } from '../pool/intake.ts'
import type { Pool } from '../pool/pool.ts'
import type { PoolHead } from '../pool/ports.ts'
import { restorePool, savePool } from '../pool/saveFile.ts'
import { createRecoverPool, type RecoverPool } from '../recovery/recoverPool.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { Permissions } from './createPermissions.ts'
import { poolOptionsOf } from './options/poolOptions.ts'
import { isBlockDue, periodAfter } from './ports/blockDue.ts'
import type { MiningSettingsHolder } from './ports/miningSettings.ts'
import { poolHeadOf } from './ports/poolHead.ts'

/** Milliseconds after which restoring the saved pool ends. */
const restoreTime = 30_000

export interface PoolingParts {
  readonly chain: Pick<Chain, 'spec' | 'openView'>
  readonly dataPath: string
  readonly settings: MiningSettingsHolder
  readonly permissions: Permissions
  /** What may enter the pool; undefined where nothing judges that beside permissions. */
  readonly screen?: IntakePorts['screen']
  /** Whether the pool treats this node as one that makes blocks. */
  readonly producing: boolean
  readonly clock: Clock
  readonly log: Logger
}

/** The transaction pool, its intake and its save file. */
export interface Pooling {
  readonly pool: Pool
  readonly intake: Intake
  /** Threads that recover senders. */
  readonly recover: RecoverPool
  /** To be called with each new head: forgets the old one and updates the pool. */
  onHead(event: HeadEvent): void
  /** Restores the transactions that were saved when the node stopped. */
  restore(): Promise<void>
  stop(): Promise<void>
}

/** The pool with its intake, the head that it judges by, and how much of it the next blocks can take. */
class NodePooling implements Pooling {
  private readonly parts: PoolingParts
  private view: ChainView | undefined
  private poolHead: PoolHead | undefined
  readonly pool: Pool
  private readonly congestion = createCongestion()
  /** Transactions that the next block cannot take: nobody waits behind them. */
  private stuck: Amount = { count: 0, bytes: 0 }
  readonly recover = createRecoverPool()
  readonly intake: Intake
  private readonly saves: boolean
  private readonly saveFile: string
  // A node that could not start must not replace what an earlier one has saved.
  private hasRestored = false

  constructor(config: Config, parts: PoolingParts) {
    this.parts = parts
    const minGasPrice = config['tx-pool-min-gas-price']
    this.pool = createPool(poolOptionsOf(config, parts.chain.spec), {
      head: this.headOfPool,
      mining: () => ({ enabled: parts.producing, minGasPrice: minGasPrice ?? parts.settings.get().minGasPrice }),
      proves: verifySidecar,
      ...(parts.permissions.txs && { permits: parts.permissions.txs.check }),
      ...(parts.permissions.localTxs && { stillPermits: parts.permissions.localTxs.check }),
    })
    parts.permissions.onTxRuleChange(this.pool.recheckPermissions)
    this.intake = createIntake({
      pool: this.pool,
      recover: this.recover,
      clock: parts.clock,
      isBlockDue: () => isBlockDue(parts.chain.spec, this.viewOfHead().head.header, parts.clock.now()),
      findOverload: (tx, undecided) => {
        const count = undecided.count + this.pool.count() - this.stuck.count
        const bytes = undecided.bytes + this.pool.bytes() - this.stuck.bytes
        return this.congestion.admit(tx, { backlog: weightOf({ count, bytes }), now: parts.clock.now() })
      },
      ...(parts.screen && { screen: parts.screen }),
      findGapFault: (tx) => (this.waitsForAnother(tx) ? this.congestion.findGapFault() : undefined),
    })
    this.pool.subscribe((event) => {
      if (event.type === 'added') this.congestion.onAdded(event.entry.local)
    })
    this.saves = config['tx-pool-enable-save-restore']
    this.saveFile = resolve(parts.dataPath, config['tx-pool-save-file'])
  }

  private viewOfHead() {
    return (this.view ??= this.parts.chain.openView(this.forgetHead))
  }

  private readonly forgetHead = (): void => {
    this.view?.close()
    this.view = undefined
    this.poolHead = undefined
  }

  private readonly headOfPool = () => (this.poolHead ??= poolHeadOf(this.viewOfHead()))

  /** Whether an earlier transaction of the sender is missing. */
  private waitsForAnother(tx: Tx): boolean {
    const sender = senderOf(tx)
    return (
      sender !== undefined && tx.nonce > (this.pool.nextNonce(sender) ?? this.headOfPool().account(sender)?.nonce ?? 0n)
    )
  }

  readonly onHead: Pooling['onHead'] = ({ added, removed, head }) => {
    this.forgetHead()
    const mined = added.flatMap(({ block }) => block.transactions)
    this.pool.onHead({
      added: mined,
      removed: removed.flatMap(({ block }) => block.transactions),
      now: this.parts.clock.now(),
    })
    const period = periodAfter(this.parts.chain.spec, head.header)
    if (period === undefined) return
    const { timestamp, baseFee = 0n } = head.header
    const minable = this.pool.minable(baseFee)
    this.stuck = { count: this.pool.count() - minable.count, bytes: this.pool.bytes() - minable.bytes }
    const undecided = this.intake.undecided()
    const left = weightOf({ count: minable.count + undecided.count, bytes: minable.bytes + undecided.bytes })
    const now = this.parts.clock.now()
    this.congestion.onBlock({ transactions: mined, timestamp: Number(timestamp), baseFee, left, period, now })
  }

  readonly restore: Pooling['restore'] = async () => {
    this.hasRestored = true
    if (!this.saves) return
    const outcome = await restorePool(
      this.saveFile,
      { pool: this.pool, recover: this.recover, now: this.parts.clock.now },
      restoreTime,
    )
    if (outcome.restored || outcome.refused) this.parts.log.info(outcome, 'transaction pool restored')
  }

  readonly stop: Pooling['stop'] = async () => {
    try {
      if (this.saves && this.hasRestored) await savePool(this.pool, this.saveFile)
      await this.recover.close()
    } finally {
      this.forgetHead()
    }
  }
}

export function createPooling(config: Config, parts: PoolingParts): Pooling {
  return new NodePooling(config, parts)
}
