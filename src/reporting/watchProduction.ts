import type { Chain } from '../chain/chain.ts'
import type { HeadEvent } from '../chain/events.ts'
import type { RoundStatus } from '../consensus/producing/producer.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Address } from '../primitives/bytes.ts'
import type { SyncPort } from '../rpc/protocol/context.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { expectedPeriod } from './expectedPeriod.ts'
import { explainStall, missingFrom } from './explainStall.ts'

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

/** Block periods without a block after which the network counts as stalled, and the least milliseconds. */
const stallPeriods = 5
const minStall = 10_000
/** Milliseconds between warnings: twice as long each time, up to this. */
const maxPause = 600_000
/** Milliseconds that validators have to announce a round before it is reported. */
const settleTime = 1000

/** Logs round changes, warns when blocks do not come and says when they come again; measures the same. */
export function watchProduction(parts: ProductionWatchParts): ProductionWatch {
  const { chain, address, validators, roundStatus, connected, sync, clock, metrics, log } = parts
  const roundChanges = metrics.counter({
    category: 'blockchain',
    name: 'bft_round_changes_total',
    help: 'Rounds after the first that this validator has entered.',
  })()
  let lastBlock = clock.now()
  /** Milliseconds after the last block at which the next warning is due; undefined where blocks are not expected. */
  let warnAfter = stallTime()
  let hasWarned = false
  /** The last block and round that were reported. */
  let reported = ''
  let cancelWarning = () => {}
  let cancelRound: (() => void) | undefined
  let unsubscribe = () => {}
  measure(parts, () => lastBlock)

  function stallTime(): number | undefined {
    const expected = expectedPeriod(chain.spec, chain.head().header.number + 1n)
    if (!expected) return undefined
    const { period, timeout } = expected
    return Math.max(minStall, 1000 * stallPeriods * period, 1000 * (period + 2 * timeout))
  }

  function scheduleWarning(): void {
    // Where blocks are not expected now, they may be later: the period can change with a block.
    const wait = warnAfter === undefined ? maxPause : Math.max(lastBlock + warnAfter - clock.now(), 0)
    cancelWarning = clock.after(wait, look)
  }

  function look(): void {
    if (warnAfter !== undefined && clock.now() - lastBlock >= warnAfter) {
      warn()
      warnAfter += Math.min(warnAfter, maxPause)
    }
    scheduleWarning()
  }

  function warn(): void {
    hasWarned = true
    const sight = {
      sync: sync.status(),
      validators: validators(),
      address,
      round: roundStatus(),
      connected: connected(),
    }
    const { reason, sentence, fields } = explainStall(sight)
    const number = Number(chain.head().header.number) + 1
    const seconds = Math.round((clock.now() - lastBlock) / 1000)
    const told = { number, seconds, reason, ...fields, peers: sight.connected.length }
    log.warn(told, `no block #{number} for {seconds} s: ${sentence}. Peers: {peers}`)
  }

  function reportRound(): void {
    cancelRound = undefined
    const status = roundStatus()
    if (!status || status.round < 1) return
    const at = `${status.height}/${status.round}`
    if (at === reported) return
    reported = at
    const heard = status.heard()
    const missing = missingFrom(validators(), heard)
    const fields = {
      round: status.round,
      number: Number(status.height),
      heard: heard.length,
      needed: status.quorum,
      missing,
    }
    const waiting = missing.length ? ', waiting for {missing}' : ''
    log.info(fields, `round {round} of block #{number}: {heard} of {needed} needed validators heard${waiting}`)
  }

  /** The block that has come still is the one that this validator's round is about. */
  function reportDecision({ added }: HeadEvent): void {
    const status = roundStatus()
    if (!status || status.round < 1 || added.at(-1)?.header.number !== status.height) return
    const missing = missingFrom(validators(), status.heard())
    const fields = { number: Number(status.height), round: status.round, missing }
    log.info(fields, `block #{number} was decided in round {round}${missing.length ? ', without {missing}' : ''}`)
  }

  function onHead(event: HeadEvent): void {
    reportDecision(event)
    if (hasWarned) {
      const seconds = Math.round((clock.now() - lastBlock) / 1000)
      const number = Number(event.head.header.number)
      log.info({ number, seconds }, 'block production resumed after {seconds} s with block #{number}')
    }
    hasWarned = false
    lastBlock = clock.now()
    const next = stallTime()
    if (next === warnAfter) return
    // Also after a warning: the next one was to come much later.
    warnAfter = next
    cancelWarning()
    scheduleWarning()
  }

  return {
    start() {
      lastBlock = clock.now()
      unsubscribe = chain.onHead(onHead)
      scheduleWarning()
    },
    stop() {
      unsubscribe()
      cancelWarning()
      cancelRound?.()
    },
    onRoundChange() {
      roundChanges.add()
      cancelRound ??= clock.after(settleTime, reportRound)
    },
  }
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
