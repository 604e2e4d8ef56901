import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import type { OpenState, PrivateExecutor } from '../execution/privateJobs.ts'
import { proxyAddress, selectors } from './managementContract.ts'
import { decodeParticipants } from './participants.ts'

/** Calls the management contract of a flexible group in its state after a block; empty if the call fails or nothing is there. */
export async function readContract(
  executor: PrivateExecutor,
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  openState: () => OpenState,
  data: Uint8Array,
): Promise<Uint8Array> {
  const question = { sender: zeroAddress, to: proxyAddress, gasPrice: 0n, data }
  return (await executor.ask(chain, at, group, openState, question)).output
}

/** The members of a flexible group; none if this node has no state of it. */
export async function readParticipants(
  executor: PrivateExecutor,
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  openState: () => OpenState,
): Promise<readonly Uint8Array[]> {
  return decodeParticipants(await readContract(executor, chain, at, group, openState, selectors.getParticipants))
}
