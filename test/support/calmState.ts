import type { NetworkState } from '../../src/rpc/server/networkState.ts'

/** The verdict on a network in which nothing is wrong. */
export const calmState: NetworkState = {
  status: 'making',
  level: 'ok',
  summary: 'blocks are made, one every 1 s',
  address: `0x${'01'.repeat(20)}`,
  head: 7,
  secondsSinceBlock: 0,
  expectedPeriod: 1,
  period: 1,
  validators: { count: 4, needed: 3, missing: [] },
  peers: 3,
  problems: [],
  nodes: [],
}
