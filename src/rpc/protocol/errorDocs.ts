import type { RpcCode } from './codes.ts'
import { poolCodes } from './faultTable.ts'
import type { ErrorDoc } from './method.ts'

/** Of methods that take a block number, tag or hash. */
export const blockErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block, or it is not canonical though that was required.'],
  [-39001, 'The network does not know a safe or finalized block.'],
]

/** Of methods that take a block number or tag. */
export const tagErrors: readonly ErrorDoc[] = [[-39001, 'The network does not know a safe or finalized block.']]

/** Of methods that simulate a transaction. */
export const callErrors: readonly ErrorDoc[] = [
  ...blockErrors,
  [-32000, 'The call reverted, with its data and reason, or ended exceptionally.'],
  [-32003, 'The gas is less than the call costs before it runs.'],
  [-32004, 'The balance of the sender is too small.'],
  [-32009, 'The price is below the base fee of the block.'],
]

/** Of methods that take an enode URL. */
export const peerErrors: readonly ErrorDoc[] = [
  [-32700, 'The enode URL cannot be read.'],
  [-32000, 'The node ID is invalid, or the peer-to-peer network is off.'],
  [-32100, 'The enode URL has a host name, or names this node itself.'],
]

/** Of methods that trace calls. */
export const traceCallErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block, or its state is not kept.'],
  [-32603, 'The call could not be a transaction: it cannot pay for itself. Or watching it took too long.'],
]

/** Of methods that show the bytes of a block. */
export const rawErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block.'],
  [-39001, 'The network does not know a safe or finalized block.'],
]

/** Of methods that move the head. */
export const headErrors: readonly ErrorDoc[] = [[-39001, 'There is no such canonical block.']]

/** Of methods that add transactions to the pool: each number with the messages that it comes with. */
export const poolErrors: readonly ErrorDoc[] = errorsOf(Object.values(poolCodes))

function errorsOf(codes: readonly RpcCode[]): ErrorDoc[] {
  const messages = new Map<number, string[]>()
  for (const [code, message] of codes) messages.set(code, [...(messages.get(code) ?? []), message])
  return [...messages].sort(([a], [b]) => b - a).map(([code, all]) => [code, `${all.join('; ')}.`])
}
