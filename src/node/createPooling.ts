import { resolve } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { ChainView } from '../chain/view.ts'
import type { Config } from '../config/options.ts'
import { verifySidecar } from '../evm/kzg/verifySidecar.ts'
import { type Amount, weightOf } from '../pool/amount.ts'
import { createCongestion } from '../pool/congestion.ts'
import { createIntake, type Intake } from '../pool/intake.ts'
import { createPool, type Pool } from '../pool/pool.ts'
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

export function createPooling(config: Config, parts: PoolingParts): Pooling {
  const { chain, dataPath, settings, permissions, producing, clock, log } = parts
  const minGasPrice = config['tx-pool-min-gas-price']
  let view: ChainView | undefined
  let poolHead: PoolHead | undefined
  const viewOfHead = () => (view ??= chain.openView(forgetHead))
  function forgetHead(): void {
    view?.close()
    view = undefined
    poolHead = undefined
  }
  const headOfPool = () => (poolHead ??= poolHeadOf(viewOfHead()))
  const pool = createPool(poolOptionsOf(config, chain.spec), {
    head: headOfPool,
    mining: () => ({ enabled: producing, minGasPrice: minGasPrice ?? settings.get().minGasPrice }),
    proves: verifySidecar,
    ...(permissions.txs && { permits: permissions.txs.check }),
    ...(permissions.localTxs && { stillPermits: permissions.localTxs.check }),
  })
  permissions.onTxRuleChange(pool.recheckPermissions)
  const congestion = createCongestion()
  /** Transactions that the next block cannot take: nobody waits behind them. */
  let stuck: Amount = { count: 0, bytes: 0 }
  /** Whether an earlier transaction of the sender is missing. */
  function waitsForAnother(tx: Tx): boolean {
    const sender = senderOf(tx)
    return sender !== undefined && tx.nonce > (pool.nextNonce(sender) ?? headOfPool().account(sender)?.nonce ?? 0n)
  }
  const recover = createRecoverPool()
  const intake = createIntake({
    pool,
    recover,
    clock,
    isBlockDue: () => isBlockDue(chain.spec, viewOfHead().head.header, clock.now()),
    findOverload(tx, undecided) {
      const count = undecided.count + pool.count() - stuck.count
      const bytes = undecided.bytes + pool.bytes() - stuck.bytes
      return congestion.admit(tx, { backlog: weightOf({ count, bytes }), now: clock.now() })
    },
    findGapFault: (tx) => (waitsForAnother(tx) ? congestion.findGapFault() : undefined),
  })
  pool.subscribe((event) => {
    if (event.type === 'added') congestion.onAdded(event.entry.local)
  })
  const saves = config['tx-pool-enable-save-restore']
  const saveFile = resolve(dataPath, config['tx-pool-save-file'])
  // A node that could not start must not replace what an earlier one has saved.
  let hasRestored = false
  return {
    pool,
    intake,
    recover,
    onHead({ added, removed, head }) {
      forgetHead()
      const mined = added.flatMap(({ block }) => block.transactions)
      pool.onHead({ added: mined, removed: removed.flatMap(({ block }) => block.transactions), now: clock.now() })
      const period = periodAfter(chain.spec, head.header)
      if (period === undefined) return
      const { timestamp, baseFee = 0n } = head.header
      const minable = pool.minable(baseFee)
      stuck = { count: pool.count() - minable.count, bytes: pool.bytes() - minable.bytes }
      const undecided = intake.undecided()
      const left = weightOf({ count: minable.count + undecided.count, bytes: minable.bytes + undecided.bytes })
      const now = clock.now()
      congestion.onBlock({ transactions: mined, timestamp: Number(timestamp), baseFee, left, period, now })
    },
    async restore() {
      hasRestored = true
      if (!saves) return
      const outcome = await restorePool(saveFile, { pool, recover, now: clock.now }, restoreTime)
      if (outcome.restored || outcome.refused) log.info(outcome, 'transaction pool restored')
    },
    async stop() {
      try {
        if (saves && hasRestored) await savePool(pool, saveFile)
        await recover.close()
      } finally {
        forgetHead()
      }
    },
  }
}
