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

const failed: PrivateReceipt = { status: 0, logs: [], output: emptyBytes, revertReason: undefined }

/** Private transactions have no gas limit of their own. */
const unlimitedGas = (1n << 63n) - 1n

export interface PrivateOutcome extends PrivateReceipt {
  readonly halt: Halt | undefined
}

/**
 * Gas that one private transaction may spend, on every node: code that never ends would keep all members busy for ever. Code
 * sees the gas that it sees in Besu, and what Besu executes in reasonable time spends less.
 */
const maxWork = 2_000_000_000n
/** The same for a call, which nobody has to agree on. */
const maxCallWork = 100_000_000n
/** Gas that is spent at once, some milliseconds: then others have their turn. */
const slice = 5_000_000n

/**
 * Runs a private transaction on a sliced EVM that was told of its block, and yields now and then. Only success changes the
 * state, the sender's nonce included; the EVM must be reset after anything else. With `keep` false nothing changes.
 */
export function* runPrivateTx(
  evm: Evm,
  message: PrivateMessage,
  group: Uint8Array,
  keep = true,
): Generator<undefined, PrivateOutcome> {
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
  const max = keep ? maxWork : maxCallWork
  for (let spent = 0n; outcome.status === 'paused'; outcome = evm.resume()) {
    spent += slice - evm.workLeft()
    if (spent > max) return { ...failed, halt: 'outOfGas' }
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
    : { ...failed, revertReason: status === 'revert' ? output : undefined, halt }
}

/** Runs to the end at once. */
export function finish<T>(run: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = run.next()
    if (done) return value
  }
}

/** Runs to the end, and others have their turn in between; rejects when `isStopped` says so. */
export async function finishInTurns<T>(run: Generator<undefined, T>, isStopped: () => boolean): Promise<T> {
  for (;;) {
    const { done, value } = run.next()
    if (done) return value
    await new Promise((resolve) => setImmediate(resolve))
    if (isStopped()) throw new Error('the execution was stopped')
  }
}
