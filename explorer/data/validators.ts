import type { Hex } from 'viem'
import type { ChainVotes } from '../decode/voteOutlook.ts'
import { askOf } from './nodes.ts'
import type { Ask } from './rpc.ts'
import type { NodeEntry } from './session.ts'

/** Names of the methods of one consensus. */
interface Methods {
  readonly name: string
  readonly namespace: string
  readonly validators: string
  readonly metrics: string
  /** Votes that this node wants to cast. */
  readonly proposals: string
  /** Votes that are in the chain. */
  readonly votes: string
  readonly propose: string
  readonly discard: string
}

const bft = (prefix: 'qbft' | 'ibft', name: string): Methods => ({
  name,
  namespace: prefix.toUpperCase(),
  validators: `${prefix}_getValidatorsByBlockNumber`,
  metrics: `${prefix}_getSignerMetrics`,
  proposals: `${prefix}_getPendingVotes`,
  votes: `${prefix}_getVotes`,
  propose: `${prefix}_proposeValidatorVote`,
  discard: `${prefix}_discardValidatorVote`,
})

/** Methods of each consensus that has validators. */
export const consensusMethods = {
  qbft: bft('qbft', 'QBFT'),
  ibft: bft('ibft', 'IBFT 2.0'),
  clique: {
    name: 'Clique',
    namespace: 'CLIQUE',
    validators: 'clique_getSigners',
    metrics: 'clique_getSignerMetrics',
    proposals: 'clique_proposals',
    votes: 'clique_getVotes',
    propose: 'clique_propose',
    discard: 'clique_discard',
  },
} as const satisfies Record<string, Methods>

export type Consensus = keyof typeof consensusMethods

/** What one validator did in the last hundred blocks. */
export interface Metrics {
  readonly address: Hex
  readonly proposedBlockCount: Hex
  readonly lastProposedBlockNumber: Hex
}

export interface ValidatorState {
  readonly validators: readonly Hex[]
  readonly metrics: readonly Metrics[]
}

/** Asks for the validators and what they did. */
export async function loadValidators(ask: Ask, consensus: Consensus): Promise<ValidatorState> {
  const methods = consensusMethods[consensus]
  const [validators, metrics] = await Promise.all([
    ask<readonly Hex[]>(methods.validators, ['latest']),
    ask<readonly Metrics[]>(methods.metrics).catch(() => []),
  ])
  return { validators, metrics }
}

/** A vote that a node casts in the blocks that it makes. */
export interface Proposal {
  readonly node: NodeEntry
  readonly subject: Hex
  readonly add: boolean
}

export interface VoteState {
  /** Null where a contract decides who the validators are. */
  readonly chain: ChainVotes | null
  readonly proposals: readonly Proposal[]
}

/** Milliseconds that each node may take to tell what it votes: one that hangs must not keep the others away. */
const proposalsMs = 3000

/** Asks for the votes in the chain, and for those that each node of the network holds ready. */
export async function loadVotes(ask: Ask, consensus: Consensus, nodes: readonly NodeEntry[]): Promise<VoteState> {
  const methods = consensusMethods[consensus]
  const proposalsOf = async (node: NodeEntry): Promise<readonly Proposal[]> => {
    const votes = await askOf(node)<Record<Hex, boolean>>(methods.proposals, [], proposalsMs).catch(() => ({}))
    return Object.entries(votes).map(([subject, add]) => ({ node, subject: subject as Hex, add }))
  }
  const [chain, proposals] = await Promise.all([
    ask<ChainVotes | null>(methods.votes),
    Promise.all(nodes.map(proposalsOf)),
  ])
  return { chain, proposals: proposals.flat() }
}
