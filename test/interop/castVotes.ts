import type { Checks } from './checks.ts'
import { agree, eventually, type RpcNode } from './rpcNode.ts'

/** What the methods of an engine are called. */
export const voteMethods = {
  qbft: { prefix: 'qbft', vote: 'qbft_proposeValidatorVote', discard: 'qbft_discardValidatorVote' },
  ibft2: { prefix: 'ibft', vote: 'ibft_proposeValidatorVote', discard: 'ibft_discardValidatorVote' },
} as const

export type Engine = keyof typeof voteMethods

/** What the nodes vote about. */
export interface Ballot {
  readonly address: string
  /** In when true, else out. */
  readonly add: boolean
}

/** All of these nodes vote, until the vote counts. */
export async function castVotes(
  checks: Checks,
  nodes: readonly RpcNode[],
  engine: Engine,
  ballot: Ballot,
): Promise<void> {
  const { prefix, vote, discard } = voteMethods[engine]
  const { address, add } = ballot
  for (const node of nodes) await node.call(vote, address, add)
  await agree(checks, nodes, `${prefix}_getPendingVotes`)
  await checks.step(`a validator is voted ${add ? 'in' : 'out'}`, () =>
    eventually('the vote counts', async () => {
      const validators = await nodes[0]!.call<string[]>(`${prefix}_getValidatorsByBlockNumber`, 'latest')
      return validators.includes(address) === add
    }),
  )
  for (const node of nodes) await node.call(discard, address)
}
