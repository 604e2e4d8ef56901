import type { Chain } from '../chain/chain.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { RoundStatus } from '../consensus/producing/producer.ts'
import { nextMoment } from '../forks/bftTransitions.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Address } from '../primitives/bytes.ts'
import type { SyncPort } from '../rpc/protocol/context.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { expectedPeriod } from './expectedPeriod.ts'
import { explainStall, missingFrom } from './explainStall.ts'
import { stallTimesOf } from './stallTimes.ts'

export interface ProductionWatchParts {
  readonly chain: Pick<Chain, 'head' | 'onHead' | 'spec'>
  /** The address of the node's key. */
  readonly address: Address
  /** The validators of the next block; empty if they are unknown. */
  readonly validators: () => readonly Address[]
  readonly roundStatus: () => RoundStatus | undefined
  /** The addresses of the nodes that are connected. */
  readonly connected: () => readonly Address[]
  readonly sync: SyncPort
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Logger
}

/** Tells an operator how the making of blocks goes. */
export interface ProductionWatch {
  start(): void
  stop(): void
  /** To be called when this validator has entered a round after the first. */
  onRoundChange(): void
}

/** Milliseconds between warnings: twice as long each time, up to this. */
const maxPause = 600_000
/** Milliseconds that validators have to announce a round before it is reported. */
const settleTime = 1000

/** What is expected of the network, when it was last met, and what has been reported. */
class BlockWatch implements ProductionWatch {
  private readonly parts: ProductionWatchParts
  private readonly roundChanges: ReturnType<ReturnType<Metrics['counter']>>
  private lastBlock: number
  /** Milliseconds after the last block at which the next warning is due; undefined where blocks are not expected. */
  private warnAfter: number | undefined
  private hasWarned = false
  /** The last block and round that were reported. */
  private reported = ''
  private cancelWarning = () => {}
  private cancelRound: (() => void) | undefined
  private unsubscribe = () => {}

  constructor(parts: ProductionWatchParts) {
    this.parts = parts
    this.roundChanges = parts.metrics.counter({
      category: 'blockchain',
      name: 'bft_round_changes_total',
      help: 'Rounds after the first that this validator has entered.',
    })()
    this.lastBlock = parts.clock.now()
    this.warnAfter = this.stallTime()
    measure(parts, () => this.lastBlock)
  }

  private stallTime(): number | undefined {
    const expected = expectedPeriod(this.parts.chain.spec, nextMoment(this.parts.chain.head().header))
    return expected && stallTimesOf(expected).stall
  }

  private scheduleWarning(): void {
    // Where blocks are not expected now, they may be later: the period can change with a block.
    const wait =
      this.warnAfter === undefined ? maxPause : Math.max(this.lastBlock + this.warnAfter - this.parts.clock.now(), 0)
    this.cancelWarning = this.parts.clock.after(wait, this.look)
  }

  private readonly look = (): void => {
    if (this.warnAfter !== undefined && this.parts.clock.now() - this.lastBlock >= this.warnAfter) {
      this.warn()
      this.warnAfter += Math.min(this.warnAfter, maxPause)
    }
    this.scheduleWarning()
  }

  private warn(): void {
    this.hasWarned = true
    const sight = {
      sync: this.parts.sync.status(),
      validators: this.parts.validators(),
      address: this.parts.address,
      round: this.parts.roundStatus(),
      connected: this.parts.connected(),
    }
    const { reason, sentence, fields } = explainStall(sight)
    const number = Number(this.parts.chain.head().header.number) + 1
    const seconds = Math.round((this.parts.clock.now() - this.lastBlock) / 1000)
    const shown = { number, seconds, reason, ...fields, peers: sight.connected.length }
    this.parts.log.warn(shown, `no block #{number} for {seconds} s: ${sentence}. Peers: {peers}`)
  }

  private readonly reportRound = (): void => {
    this.cancelRound = undefined
    const status = this.parts.roundStatus()
    if (!status || status.round < 1) return
    const at = `${status.height}/${status.round}`
    if (at === this.reported) return
    this.reported = at
    const heard = status.heard()
    const missing = missingFrom(this.parts.validators(), heard)
    const fields = {
      round: status.round,
      number: Number(status.height),
      heard: heard.length,
      needed: status.quorum,
      missing,
    }
    const waiting = missing.length ? ', waiting for {missing}' : ''
    this.parts.log.info(
      fields,
      `round {round} of block #{number}: {heard} of {needed} needed validators heard${waiting}`,
    )
  }

  /** The block that has come still is the one that this validator's round is about. */
  private reportDecision({ added }: HeadEvent): void {
    const status = this.parts.roundStatus()
    if (!status || status.round < 1 || added.at(-1)?.header.number !== status.height) return
    const missing = missingFrom(this.parts.validators(), status.heard())
    const fields = { number: Number(status.height), round: status.round, missing }
    this.parts.log.info(
      fields,
      `block #{number} was decided in round {round}${missing.length ? ', without {missing}' : ''}`,
    )
  }

  private readonly onHead = (event: HeadEvent): void => {
    this.reportDecision(event)
    if (this.hasWarned) {
      const seconds = Math.round((this.parts.clock.now() - this.lastBlock) / 1000)
      const number = Number(event.head.header.number)
      this.parts.log.info({ number, seconds }, 'block production resumed after {seconds} s with block #{number}')
    }
    this.hasWarned = false
    this.lastBlock = this.parts.clock.now()
    const next = this.stallTime()
    if (next === this.warnAfter) return
    // Also after a warning: the next one was to come much later.
    this.warnAfter = next
    this.cancelWarning()
    this.scheduleWarning()
  }

  readonly start: ProductionWatch['start'] = () => {
    this.lastBlock = this.parts.clock.now()
    this.unsubscribe = this.parts.chain.onHead(this.onHead)
    this.scheduleWarning()
  }

  readonly stop: ProductionWatch['stop'] = () => {
    this.unsubscribe()
    this.cancelWarning()
    this.cancelRound?.()
  }

  readonly onRoundChange: ProductionWatch['onRoundChange'] = () => {
    this.roundChanges.add()
    this.cancelRound ??= this.parts.clock.after(settleTime, this.reportRound)
  }
}

/** Logs round changes, warns when blocks do not come and says when they come again; measures the same. */
export function watchProduction(parts: ProductionWatchParts): ProductionWatch {
  return new BlockWatch(parts)
}

function measure(parts: ProductionWatchParts, lastBlock: () => number): void {
  const { metrics, roundStatus, validators, clock } = parts
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    metrics.gauge({ category: 'blockchain', name, help }, read)
  gauge('seconds_since_last_block', 'Seconds since the head has changed, or since the node has started.', () =>
    Math.max(0, (clock.now() - lastBlock()) / 1000),
  )
  gauge('validators', 'Validators of the next block.', () => validators().length || undefined)
  gauge('bft_round', 'Round of the block in progress.', () => roundStatus() && Math.max(0, roundStatus()!.round))
  gauge('bft_validators_needed', 'Validators that must agree on a block.', () => roundStatus()?.quorum)
  gauge('bft_validators_heard', 'Validators known to be in the round in progress.', () => roundStatus()?.heard().length)
}
