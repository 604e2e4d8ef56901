import type { Evm } from '../evm/evm.ts'
import type { Halt } from '../evm/message.ts'
import { type Address, emptyBytes } from '../primitives/bytes.ts'
import { privateContractAddress } from './groupId.ts'
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

/** Private transactions have no gas limit of their own. */
const unlimitedGas = (1n << 63n) - 1n

export interface PrivateOutcome extends PrivateReceipt {
  readonly halt: Halt | undefined
}

/**
 * Runs a private transaction on an interpreter that was told of its block. Only success changes the state, the sender's
 * nonce included. With `keep` false nothing changes.
 */
export function runPrivateTx(evm: Evm, message: PrivateMessage, group: Uint8Array, keep = true): PrivateOutcome {
  const { sender, to, gasPrice, data } = message
  evm.beginTx({ origin: sender, gasPrice, blobHashes: [] })
  const nonce = evm.nonce(sender)
  if (nonce !== message.nonce) return { ...invalidReceipt, halt: undefined }
  const start = evm.snapshot()
  evm.setNonce(sender, nonce + 1n)
  const gas = unlimitedGas
  const outcome = to
    ? evm.call({ from: sender, to, value: 0n, data, gas })
    : evm.create({
        from: sender,
        value: 0n,
        initCode: data,
        gas,
        nonce,
        address: privateContractAddress(sender, nonce, group),
      })
  const { status, halt, output } = outcome
  const succeeded = status === 'success'
  const logs = succeeded ? evm.logs() : []
  if (!succeeded || !keep) evm.revertTo(start)
  evm.endTx()
  return succeeded
    ? { status: 1, logs, output, revertReason: undefined, halt }
    : { status: 0, logs, output: emptyBytes, revertReason: status === 'revert' ? output : undefined, halt }
}
