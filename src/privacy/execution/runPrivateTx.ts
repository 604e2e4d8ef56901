import type { Evm } from '../../evm/evm.ts'
import type { Halt } from '../../evm/message.ts'
import { type Address, emptyBytes } from '../../primitives/bytes.ts'
import type { Steps } from '../../primitives/steps.ts'
import { privateContractAddress } from '../enclave/groupId.ts'
import type { PrivateReceipt } from './privateReceipts.ts'

/** What is run of a private transaction, or of a call. */
export interface PrivateMessage {
  readonly sender: Address
  /** Undefined creates a contract. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly data: Uint8Array
}

/** The result of a private transaction that cannot be run. */
export const invalidReceipt: PrivateReceipt = { status: 2, logs: [], output: emptyBytes, revertReason: undefined }

/** The result of one that is not run again, or has failed without a reason. */
export const failedReceipt: PrivateReceipt = { status: 0, logs: [], output: emptyBytes, revertReason: undefined }

/** Private transactions have no gas limit of their own. */
const unlimitedGas = (1n << 63n) - 1n

export interface PrivateOutcome extends PrivateReceipt {
  readonly halt: Halt | undefined
  /** It failed and took so much work that it is run once in a block, however often its marker is repeated. */
  readonly isCostly?: boolean
  /** It did not end within its work: it is never run again. */
  readonly isExhausted?: boolean
}

/** Gas that something may spend, and gas that it spends before others have their turn. */
export interface WorkLimit {
  readonly max: bigint
  readonly slice: bigint
}

/**
 * What one private transaction may spend, and what one question of a flexible group's gate: the same on every node, or members
 * would disagree, and less than what would keep them busy. Code sees the gas that it sees in Besu. Nobody has to
 * agree on the calls of clients, nor on those by which the node itself reads a group's contract.
 */
export const workLimits = {
  tx: { max: 200_000_000n, slice: 2_000_000n },
  gate: { max: 5_000_000n, slice: 1_000_000n },
  call: { max: 100_000_000n, slice: 1_000_000n },
  node: { max: 20_000_000n, slice: 1_000_000n },
} as const satisfies Record<string, WorkLimit>

/** What a transaction that fails may spend and be run again in the same block: the same on every node. */
export const costlyWork = 10_000_000n

/**
 * Runs a private transaction on an EVM that can pause and has the block set, and yields now and then. Only success changes the
 * state, the sender's nonce included; the EVM must be reset after anything else. With `keep` false nothing changes.
 */
export function* runPrivateTx(
  evm: Evm,
  message: PrivateMessage,
  group: Uint8Array,
  keep = true,
  { max, slice }: WorkLimit = workLimits.tx,
): Steps<PrivateOutcome> {
  const { sender, to, gasPrice, data } = message
  evm.beginTx({ origin: sender, gasPrice, blobHashes: [] })
  const nonce = evm.nonce(sender)
  if (nonce !== message.nonce) return { ...invalidReceipt, halt: undefined }
  const start = evm.snapshot()
  evm.setNonce(sender, nonce + 1n)
  const gas = unlimitedGas
  evm.setWork(slice)
  let outcome = to
    ? evm.call({ from: sender, to, value: 0n, data, gas })
    : evm.create({
        from: sender,
        value: 0n,
        initCode: data,
        gas,
        nonce,
        address: privateContractAddress(sender, nonce, group),
      })
  let spent = 0n
  for (; outcome.status === 'paused'; outcome = evm.resume()) {
    spent += slice - evm.workLeft()
    if (spent > max) return { ...failedReceipt, halt: 'outOfGas', isCostly: true, isExhausted: true }
    yield
    evm.setWork(slice)
  }
  const { status, halt, output } = outcome
  const succeeded = status === 'success'
  const logs = succeeded ? evm.logs() : []
  if (!succeeded || !keep) evm.revertTo(start)
  evm.endTx()
  return succeeded
    ? { status: 1, logs, output, revertReason: undefined, halt }
    : {
        ...failedReceipt,
        revertReason: status === 'revert' ? output : undefined,
        halt,
        ...(spent > costlyWork && { isCostly: true }),
      }
}
