import type { RpcCode } from './codes.ts'
import { poolCodes } from './faultTable.ts'
import type { ErrorDoc } from './method.ts'

/** Of methods that take a block number, tag or hash. */
export const blockErrors: readonly ErrorDoc[] = [
  [-32000, 'Block not found, or not canonical although `requireCanonical` is true.'],
  [-39001, 'The safe or finalized block is unknown.'],
]

/** Of methods that take a block number or tag. */
export const tagErrors: readonly ErrorDoc[] = [[-39001, 'The safe or finalized block is unknown.']]

/** Of methods that execute a mined transaction again. */
export const txErrors: readonly ErrorDoc[] = [
  [-32000, 'No mined transaction has this hash, or the state before it is not available.'],
]

/** Of methods that look for something in old states. */
export const stateErrors: readonly ErrorDoc[] = [[-32000, 'The states that would tell were pruned.']]

/** Of methods that simulate a transaction. */
export const callErrors: readonly ErrorDoc[] = [
  ...blockErrors,
  [
    -32000,
    'The call reverted (with `data` and reason; the code is 3 with `--rpc-revert-format=GETH`), or halted exceptionally.',
  ],
  [-32003, 'The gas is below the intrinsic gas of the call.'],
  [-32004, 'The upfront cost exceeds the balance of the sender.'],
  [-32009, 'The gas price is below the base fee of the block.'],
]

/** Of methods that take an enode URL. */
export const peerErrors: readonly ErrorDoc[] = [
  [-32700, 'The enode URL is malformed.'],
  [-32000, 'The node ID is invalid, P2P is disabled, or permissioning does not allow the node.'],
  [-32100, 'The enode URL has a host name, or is that of this node.'],
]

/** Of methods that trace calls. */
export const traceCallErrors: readonly ErrorDoc[] = [
  [-32000, 'Block not found, its state is not available, or the call is not a valid transaction.'],
  [-32003, 'The gas limit is below the intrinsic gas.'],
  [-32005, 'The gas limit exceeds that of the block.'],
  [-32603, 'The sender cannot pay for the call, or the trace timed out.'],
]

/** Of methods that return raw blocks. */
export const rawErrors: readonly ErrorDoc[] = [
  [-32000, 'Block not found.'],
  [-39001, 'The safe or finalized block is unknown.'],
]

/** Of methods that set the head. */
export const headErrors: readonly ErrorDoc[] = [[-39001, 'Canonical block not found.']]

/** Of methods that remove blocks from the chain. */
export const signedError: ErrorDoc = [-32000, 'This node is one of several validators and has signed later blocks.']

/** Of methods that add transactions to the pool: each number with the messages that it comes with. */
export const poolErrors: readonly ErrorDoc[] = errorsOf(Object.values(poolCodes))

function errorsOf(codes: readonly RpcCode[]): ErrorDoc[] {
  const messages = new Map<number, string[]>()
  for (const [code, message] of codes) messages.set(code, [...(messages.get(code) ?? []), message])
  return [...messages].sort(([a], [b]) => b - a).map(([code, all]) => [code, `${all.join('; ')}.`])
}

/** Of methods that make blocks of the development network. */
export const devErrors: readonly ErrorDoc[] = [
  [-32000, "The timestamp is not later than the parent's, or too many blocks are asked for."],
]

/** Of methods that change an allowlist. */
export const allowlistErrors: readonly ErrorDoc[] = [
  [
    -32000,
    'The allowlist is not enabled; the request is empty, or has an entry that is invalid, given twice, already listed ' +
      '(add) or not listed (remove); the permissions file cannot be written, or lacks entries of the list.',
  ],
]
