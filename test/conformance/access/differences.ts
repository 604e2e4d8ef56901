/** A step of a flow in which this node does something else than the flow expects, and why. */
export interface Difference {
  readonly flow: string
  /** Index of the step. */
  readonly step: number
  /** A part of what the runner reports about the step: what this node does instead. */
  readonly instead: string
  readonly reason: string
}

const notPermitted = 'Cannot add a non-permitted node as a peer'
const refusedPeer =
  'admin_addPeer refuses a node that permissioning refuses, instead of keeping a peer that it never dials'
const atOnce =
  'transactions of an account that is taken off the list leave the pool at once, not only at the next block'
const closed =
  'peers are dropped when the nodes contract fails, instead of keeping those that it may have meant to refuse'

/** Steps in which this node differs on purpose. */
export const accessDifferences: readonly Difference[] = [
  { flow: 'peers-outbound', step: 1, instead: notPermitted, reason: refusedPeer },
  { flow: 'peers-outbound', step: 5, instead: notPermitted, reason: refusedPeer },
  { flow: 'peers-outbound', step: 6, instead: '.result: false', reason: refusedPeer },
  { flow: 'peers-both-ends', step: 3, instead: notPermitted, reason: refusedPeer },
  { flow: 'peers-both-ends', step: 5, instead: '.result: true', reason: refusedPeer },
  { flow: 'peers-wrong-port', step: 3, instead: notPermitted, reason: refusedPeer },
  { flow: 'peers-wrong-port', step: 5, instead: '.result: true', reason: refusedPeer },
  { flow: 'enforce-removed-pooled', step: 6, instead: 'expected the set', reason: atOnce },
  { flow: 'enforce-removed-pooled', step: 9, instead: '.result: []', reason: atOnce },
  { flow: 'contract-nodes-v1-reverts', step: 5, instead: '.result: "0x0"', reason: closed },
  { flow: 'contract-nodes-v2-reverts', step: 5, instead: '.result: "0x0"', reason: closed },
  {
    flow: 'perm-reload',
    step: 6,
    instead: '"0xABCDEFabcdef0000000000000000000000000009"',
    reason: 'a reload reads the file and does not rewrite it: letter case and comments are the operator’s',
  },
  {
    flow: 'perm-start-static',
    step: 0,
    instead: 'Specified node(s) not in nodes-allowlist [enode://65d0b15a',
    reason: 'nodes that are not listed are named in the order of the file, not of a Java hash set',
  },
]

/** The name of the case of a difference. */
export const differenceName = ({ flow, step }: Pick<Difference, 'flow' | 'step'>) => `${flow}#${step}`

/** The differences as cases that are not expected to pass. */
export const accessExclusions = accessDifferences.map((difference) => ({
  suite: 'besu-access',
  name: new RegExp(`^${differenceName(difference)}$`),
  reason: difference.reason,
}))
