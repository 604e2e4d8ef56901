import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import type { HeadEvent } from '../../chain/events.ts'
import { isAuthorityEngine } from '../../consensus/authorityEngine.ts'
import { quorumOf } from '../../consensus/bft/checkCommitSeals.ts'
import type { ProposerReport, RoundStatus } from '../../consensus/producing/producer.ts'
import { type Moment, nextMoment } from '../../forks/bftTransitions.ts'
import type { ForkWarning } from '../../forks/forkWarnings.ts'
import type { RefusedPeer } from '../../net/eth/refusedPeers.ts'
import { type Address, equalBytes, includesBytes } from '../../primitives/bytes.ts'
import type { SyncPort } from '../../rpc/protocol/context.ts'
import type { NetworkState, Problem } from '../../rpc/server/networkState.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { expectedPeriod } from '../expectedPeriod.ts'
import { stallTimesOf } from '../stallTimes.ts'
import { absentees } from './absentees.ts'
import { type Arrivals, createArrivals } from './arrivals.ts'
import type { DiskSpace } from './diskSpace.ts'
import { joinStates } from './joinStates.ts'
import { judge } from './judge.ts'
import type { NetworkSight } from './sight.ts'

export interface StateWatchParts {
  readonly chain: Pick<Chain, 'head' | 'onHead' | 'spec'>
  readonly consensus: ConsensusEngine
  /** What the node calls itself. */
  readonly name: string
  /** The address of the node's key. */
  readonly address: Address
  /** Whether one node makes the blocks, whatever the genesis file names. */
  readonly isDev: boolean
  /** The validators of the next block; empty if they are unknown. */
  readonly validators: () => readonly Address[]
  readonly roundStatus: () => RoundStatus | undefined
  readonly proposers: () => ProposerReport | undefined
  /** The addresses of the nodes that are connected; undefined where the peer-to-peer network is disabled. */
  readonly connected: () => readonly Address[] | undefined
  readonly refused: () => readonly RefusedPeer[]
  readonly forks: () => readonly ForkWarning[]
  readonly measureDisk: () => Promise<DiskSpace>
  readonly sync: SyncPort
  readonly clock: Clock
  readonly log: Logger
}

/** Knows the state of the network at any time, and logs what is wrong with it. */
export interface StateWatch {
  start(): void
  stop(): void
  /** The verdict; the same one for questions that come within a moment. */
  state(): NetworkState
}

/** Milliseconds for which a verdict is given again. */
const fresh = 500
/** Milliseconds between two looks at the disk and for the log, and after which forks are looked at again. */
const lookEvery = 5000
const forksEvery = 60_000
/** Blocks that come together although they were made just then. */
const maxTogether = 3
/** Problems that have lines of their own in the log, in the moment in which they occur. */
const loggedElsewhere: ReadonlySet<Problem['code']> = new Set([
  'noBlocks',
  'invalidProposals',
  'behind',
  'stuck',
  'fork',
  'otherForks',
])

class Watch implements StateWatch {
  private readonly parts: StateWatchParts
  private readonly arrivals: Arrivals
  private lastBlock: number
  private verdict: { readonly at: number; readonly state: NetworkState } | undefined
  private forks: readonly ForkWarning[] = []
  private disk: DiskSpace | undefined
  private looks = 0
  private isMeasuring = false
  private said = new Map<string, string>()
  private cancel = () => {}
  private unsubscribe = () => {}

  constructor(parts: StateWatchParts) {
    this.parts = parts
    this.lastBlock = parts.clock.now()
    this.arrivals = createArrivals((interval) => {
      const expected = this.expected(parts.chain.head().header)
      return expected !== undefined && interval >= stallTimesOf(expected).stall
    })
  }

  private expected(header: Moment) {
    return this.parts.isDev ? undefined : expectedPeriod(this.parts.chain.spec, nextMoment(header))
  }

  private readonly onHead = ({ added }: HeadEvent): void => {
    const { consensus, clock, sync, address } = this.parts
    this.lastBlock = clock.now()
    this.verdict = undefined
    if (added.length > maxTogether || sync.status() !== undefined) {
      this.arrivals.reset()
      return
    }
    for (const { header } of added) {
      const maker = isAuthorityEngine(consensus) ? consensus.signerOf(header) : undefined
      const isOwn = maker !== undefined && equalBytes(maker, address)
      this.arrivals.add({ at: this.lastBlock, timestamp: Number(header.timestamp), maker, isOwn })
    }
  }

  private needed(validators: number, header: Moment): number {
    const { consensus } = this.parts.chain.spec
    const isClique =
      consensus.kind === 'clique' && !(consensus.successor && header.number + 1n >= consensus.successor.startBlock)
    return isClique ? Math.floor(validators / 2) + 1 : quorumOf(validators)
  }

  private proposers(): ProposerReport {
    const { silent, flaws } = this.parts.proposers() ?? { silent: [], flaws: [] }
    // Who has made a block since is well again.
    return { silent, flaws: flaws.filter(({ proposer, at }) => (this.arrivals.lastOf(proposer) ?? 0) < at) }
  }

  private sight(): NetworkSight {
    const { chain, address, isDev, clock, sync, roundStatus, connected, refused } = this.parts
    const { header } = chain.head()
    const validators = isDev ? [] : this.parts.validators()
    const peers = connected()
    return {
      address,
      validators,
      head: Number(header.number),
      sinceBlock: Math.max(0, clock.now() - this.lastBlock),
      expected: this.expected(header),
      needed: this.needed(validators.length, header),
      arrivals: this.arrivals.report(),
      absent: absentees(validators, this.arrivals.makers()),
      proposers: this.proposers(),
      sync: sync.status(),
      round: roundStatus(),
      connected: peers ?? [],
      peers: peers?.length,
      // Strangers that discovery finds are on other chains all the time.
      refused: refused().filter((one) => one.isStatic || peers?.length === 0 || includesBytes(validators, one.address)),
      disk: this.disk,
      forks: this.forks,
    }
  }

  readonly state: StateWatch['state'] = () => {
    const now = this.parts.clock.now()
    if (this.verdict && Math.abs(now - this.verdict.at) < fresh) return this.verdict.state
    const own = judge(this.sight())
    const { problems, level, summary } = own
    const joined = joinStates([{ name: this.parts.name, address: undefined, state: own }])
    // A node that speaks for itself says "this node".
    const state = { ...joined, problems, level, summary }
    this.verdict = { at: now, state }
    return state
  }

  /** Says what is new, and what is over. */
  private report(): void {
    const { log } = this.parts
    const problems = this.state().problems.filter(({ code }) => !loggedElsewhere.has(code))
    const now = new Map(problems.map((one) => [`${one.code} ${one.about ?? ''}`, one]))
    for (const [key, { code, level, text, advice }] of now)
      if (!this.said.has(key)) log[level === 'error' ? 'error' : 'warn']({ problem: code, advice }, text)
    for (const [key, text] of this.said) if (!now.has(key)) log.info({ problem: key.split(' ')[0] }, `over: ${text}`)
    this.said = new Map([...now].map(([key, { text }]) => [key, text]))
  }

  private async lookAtDisk(): Promise<void> {
    // A file system that hangs is asked once; where it cannot be measured there is nothing to say.
    if (this.isMeasuring) return
    this.isMeasuring = true
    this.disk = await this.parts.measureDisk().catch(() => undefined)
    this.isMeasuring = false
  }

  private readonly look = (): void => {
    void this.lookAtDisk()
    if ((this.looks++ * lookEvery) % forksEvery === 0) this.forks = this.parts.forks()
    if (this.looks > 1) this.report()
    this.cancel = this.parts.clock.after(lookEvery, this.look)
  }

  readonly start: StateWatch['start'] = () => {
    this.lastBlock = this.parts.clock.now()
    this.unsubscribe = this.parts.chain.onHead(this.onHead)
    this.look()
  }

  readonly stop: StateWatch['stop'] = () => {
    this.unsubscribe()
    this.cancel()
  }
}

/** Watches the state of the network for all that show it: /health, the log, `quoin doctor`, `quoin network`, the explorer. */
export function watchState(parts: StateWatchParts): StateWatch {
  return new Watch(parts)
}
