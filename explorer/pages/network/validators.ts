import type { Hex } from 'viem'
import { askOf } from '../../data/nodes.ts'
import type { Ask } from '../../data/rpc.ts'
import type { NodeEntry } from '../../data/session.ts'

/** Names of the methods of one consensus. */
interface Methods {
  readonly name: string
  readonly namespace: string
  readonly validators: string
  readonly metrics: string
  readonly votes: string
  readonly propose: string
  readonly discard: string
}

const bft = (prefix: 'qbft' | 'ibft', name: string): Methods => ({
  name,
  namespace: prefix.toUpperCase(),
  validators: `${prefix}_getValidatorsByBlockNumber`,
  metrics: `${prefix}_getSignerMetrics`,
  votes: `${prefix}_getPendingVotes`,
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
    votes: 'clique_proposals',
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

/** Votes of one node that are not in a block yet: true adds a validator, false removes it. */
export type PendingVotes = Readonly<Record<Hex, boolean>>

export interface ValidatorState {
  readonly validators: readonly Hex[]
  readonly metrics: readonly Metrics[]
  /** Pending votes by node. */
  readonly votes: readonly { readonly node: NodeEntry; readonly votes: PendingVotes }[]
}

/** Milliseconds that each node may take to tell its votes. */
const votesMs = 3000

/** Asks for the validators, what they did, and the pending votes of every node of the network. */
export async function loadValidators(
  ask: Ask,
  consensus: Consensus,
  nodes: readonly NodeEntry[],
): Promise<ValidatorState> {
  const methods = consensusMethods[consensus]
  const votesOf = async (node: NodeEntry) => {
    // One that hangs must not keep the table away.
    const votes = await askOf(node)<PendingVotes>(methods.votes, [], votesMs).catch(() => ({}))
    return { node, votes }
  }
  const [validators, metrics, votes] = await Promise.all([
    ask<readonly Hex[]>(methods.validators, ['latest']),
    ask<readonly Metrics[]>(methods.metrics).catch(() => []),
    Promise.all(nodes.map(votesOf)),
  ])
  return { validators, metrics, votes }
}
