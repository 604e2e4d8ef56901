// The form of the one verdict on the state of a network. It is made in src/reporting/state, and read by /health, `quoin doctor`,
// `quoin network` and the pages of the explorer: plain data.

/** What a network does; `idle` where blocks come only with transactions, `silent` where the node itself does not answer. */
export type NetworkStatus = 'making' | 'slow' | 'standing' | 'idle' | 'syncing' | 'silent'

export type StateLevel = 'ok' | 'warning' | 'error'

/** Kinds of problems; texts may change, these do not. */
export type ProblemCode =
  | 'noBlocks'
  | 'slow'
  | 'absent'
  | 'clock'
  | 'invalidProposals'
  | 'stuck'
  | 'behind'
  | 'noPeers'
  | 'otherNetwork'
  | 'otherForks'
  | 'fork'
  | 'disk'
  | 'silent'
  | 'down'

/** Something that an operator has to do something about. */
export interface Problem {
  readonly code: ProblemCode
  readonly level: Exclude<StateLevel, 'ok'>
  /** A sentence. Nodes and validators are named by their whole address. */
  readonly text: string
  readonly advice: string
  /** The address of the node that it is about; undefined if it is about the network. */
  readonly about: string | undefined
}

/** The validators of the next block. */
export interface ValidatorCount {
  readonly count: number
  /** How many must take part. */
  readonly needed: number
  /** Addresses of those that are known not to. */
  readonly missing: readonly string[]
}

/** The state of a network as one node sees it. */
export interface NodeState {
  readonly status: NetworkStatus
  readonly level: StateLevel
  /** All of it in a sentence. */
  readonly summary: string
  /** The address of the node's key. */
  readonly address: string
  readonly head: number
  /** Since the last block came, or since the node started. */
  readonly secondsSinceBlock: number
  /** From block to block, as it should be and as it was lately; undefined where that is not known. */
  readonly expectedPeriod: number | undefined
  readonly period: number | undefined
  /** Undefined on networks without validators. */
  readonly validators: ValidatorCount | undefined
  readonly peers: number | undefined
  /** Worst first. */
  readonly problems: readonly Problem[]
}

/** A node of those whose states were put together. */
export interface NamedNode {
  readonly name: string
  /** Undefined where it is not known. */
  readonly address: string | undefined
  readonly head: number | undefined
  readonly status: NetworkStatus | 'down' | 'starting'
}

/** The state of a network as several nodes see it; of each of them at least its name. */
export interface NetworkState extends NodeState {
  readonly nodes: readonly NamedNode[]
}

const ranks: Readonly<Record<StateLevel, number>> = { error: 0, warning: 1, ok: 2 }

/** The worst first; of the same level, those that came first. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => ranks[a.level] - ranks[b.level])
}

/** The level of the worst. */
export const levelOf = (problems: readonly Problem[]): StateLevel => sortProblems(problems)[0]?.level ?? 'ok'
