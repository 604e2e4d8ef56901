import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import type { StateView } from '../../state/view.ts'
import type { PrivateExecutor } from '../privateExecutor.ts'
import { proxyAddress, selectors } from './managementContract.ts'
import { decodeParticipants } from './participants.ts'

/** Calls the management contract of a flexible group in its state after a block; empty if the call fails or nothing is there. */
export function readContract(
  executor: PrivateExecutor,
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  state: StateView,
  data: Uint8Array,
): Uint8Array {
  return executor.call(chain, at, group, state, { sender: zeroAddress, to: proxyAddress, gasPrice: 0n, data }).output
}

/** The members of a flexible group; none if this node has no state of it. */
export function readParticipants(
  executor: PrivateExecutor,
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  state: StateView,
): readonly Uint8Array[] {
  return decodeParticipants(readContract(executor, chain, at, group, state, selectors.getParticipants))
}
