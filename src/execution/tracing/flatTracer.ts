import type { Halt } from '../../evm/message.ts'
import { type Address, emptyBytes, zeroAddress } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp, scalar } from '../../primitives/rlp.ts'
import type { Tx } from '../../types/transaction.ts'
import type { TxOutcome } from '../runTx.ts'
import { type BesuFrame, type BesuFrameSink, depositPrice } from './besuFrame.ts'
import type { FlatAction, FlatResult, FlatTrace } from './flatTrace.ts'

/** A trace that is still being made. */
interface Draft {
  readonly type: FlatTrace['type']
  readonly action: FlatAction
  readonly result: FlatResult | null
  readonly traceAddress: readonly number[]
  subtraces: number
  error: Halt | undefined
  /** Counts as reverted when a message at this depth reverted before any returned. */
  doubtedAt: number | undefined
}

const calls = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

function addressOf(word: bigint): Address {
  const digits = BigInt.asUintN(160, word).toString(16).padStart(40, '0')
  return new Uint8Array(Buffer.from(digits, 'hex')) as Address
}

function createdBy(sender: Address, nonce: bigint): Address {
  return keccak256(encodeRlp([sender, scalar(nonce)])).subarray(12) as Address
}

/** Who the code of a trace is when it calls others. */
function selfOf({ type, action, result }: Draft): Address {
  switch (action.callType) {
    case undefined:
      return (type === 'create' ? result?.address : undefined) ?? zeroAddress
    case 'call':
    case 'staticcall':
      return action.to ?? zeroAddress
    case 'delegatecall':
    case 'callcode':
      return action.from ?? zeroAddress
    default:
      return zeroAddress
  }
}

/** What a contract that creates another one passes on: all but a 64th of what it has left. */
function gasForCreation({ gas, cost }: BesuFrame, next: BesuFrame | undefined): bigint {
  if (cost === 0n || gas < cost) return next?.gas ?? 0n
  const left = gas - cost
  return left - left / 64n
}

/**
 * Makes the flat traces of a transaction as Besu does: from its entries alone, so that an opcode that fails without a
 * named halt leaves its trace open, and calls that never ran leave none. Besu names the method of a creation only where
 * the transaction is in the chain.
 */
export function createFlatTracer(
  tx: Tx,
  sender: Address,
  namesMethod: boolean,
): { readonly sink: BesuFrameSink; finish(outcome: TxOutcome): FlatTrace[] } {
  const created = tx.to ? undefined : createdBy(sender, tx.nonce)
  const root: Draft = {
    type: tx.to ? 'call' : 'create',
    action: tx.to
      ? { callType: 'call', from: sender, input: tx.data, to: tx.to, value: tx.value }
      : { from: sender, init: tx.data, value: tx.value },
    result: created ? { gasUsed: 0n, address: created, code: emptyBytes } : { gasUsed: 0n, output: emptyBytes },
    ...{ traceAddress: [], subtraces: 0, error: undefined, doubtedAt: undefined },
  }
  const drafts: Draft[] = [root]
  const open: Draft[] = [root]
  /** Depths at which a message reverted before the first RETURN. */
  const revertedAt = new Set<number>()
  let returned = false
  let usesCreate2 = false
  let first: BesuFrame | undefined
  /** The entry that ended the outermost message. */
  let last: BesuFrame | undefined
  let spent = 0n

  function close(): void {
    open.pop()
    const outer = open.at(-1)
    if (outer) outer.subtraces++
  }

  function start(type: 'call' | 'create', action: FlatAction, result: FlatResult): Draft {
    const traceAddress = open.map((draft) => draft.subtraces)
    const draft: Draft = { type, action, result, traceAddress, subtraces: 0, error: undefined, doubtedAt: undefined }
    // Stands where a trace is never closed.
    result.gasUsed = -spent
    drafts.push(draft)
    open.push(draft)
    return draft
  }

  function startCall(frame: BesuFrame, next: BesuFrame | undefined): void {
    if (!next || next.depth <= frame.depth) return
    const action: FlatAction = {
      callType: frame.op.toLowerCase(),
      from: selfOf(open.at(-1)!),
      gas: next.gas,
      input: next.message.input,
      value: frame.message.value,
    }
    if (frame.second !== undefined) action.to = addressOf(frame.second)
    start('call', action, { gasUsed: 0n, output: emptyBytes }).doubtedAt = next.depth
  }

  function startCreation(frame: BesuFrame, next: BesuFrame | undefined): void {
    const gas = gasForCreation(frame, next)
    const from = created ?? selfOf(open.at(-1)!)
    const action: FlatAction = { from, gas, init: frame.code, value: next?.message.value ?? 0n }
    start('create', action, { gasUsed: 0n, output: emptyBytes, address: next?.message.recipient ?? zeroAddress })
  }

  function endWell(draft: Draft, frame: BesuFrame): void {
    const { action, result } = draft
    action.value = frame.message.value
    if (draft === root) last = frame
    else result!.gasUsed = action.gas! - frame.gas
    if (result!.code === undefined) result!.output = frame.output
    if (action.callType === undefined) {
      action.init = frame.code
      result!.code = frame.output
      delete result!.output
      if (draft !== root) result!.gasUsed += BigInt(frame.output.length) * depositPrice
    }
    close()
  }

  function destroy(draft: Draft, frame: BesuFrame): void {
    const { action, result } = draft
    result!.gasUsed = action.gas! - frame.gas + frame.cost
    const refundAddress = addressOf(frame.top ?? 0n)
    const address =
      action.callType === undefined ? frame.message.recipient : action.callType === 'call' ? action.to : action.from
    drafts.push({
      type: 'suicide',
      action: { ...(address && { address }), balance: frame.balance, refundAddress },
      result: null,
      traceAddress: open.map((one) => one.subtraces),
      ...{ subtraces: 0, error: undefined, doubtedAt: undefined },
    })
    draft.subtraces++
    close()
  }

  function begin(frame: BesuFrame): void {
    first = frame
    root.action.gas = frame.gas + (frame.precompileCost ?? 0n)
    if (frame.precompileCost !== undefined) root.result!.gasUsed = frame.precompileCost
    if (tx.to) root.doubtedAt = frame.depth
  }

  function take(draft: Draft, frame: BesuFrame, next: BesuFrame | undefined): void {
    const { op, halt } = frame
    if (calls.has(op) || (op === 'SELFDESTRUCT' && halt)) startCall(frame, next)
    else if (op === 'CALLDATALOAD') draft.action.value = frame.message.value
    else if (op === 'RETURN' || op === 'STOP') endWell(draft, frame)
    else if (op === 'SELFDESTRUCT') destroy(draft, frame)
    else if ((op === 'CREATE' || op === 'CREATE2') && (!halt || frame.depth === 0)) startCreation(frame, next)
    else if (op === 'REVERT') {
      draft.error = 'revert'
      close()
    }
  }

  function stop(frame: BesuFrame): void {
    const draft = open.at(-1)
    const marked = draft ?? drafts.at(-1)!
    marked.error = frame.halt
    if (!draft) return
    draft.action.value = frame.message.value
    close()
  }

  const sink: BesuFrameSink = (frame, next) => {
    if (!first) begin(frame)
    if (frame.op === 'RETURN') returned = true
    if (frame.op === 'REVERT' && !returned) revertedAt.add(frame.depth)
    if (frame.op === 'CREATE2') usesCreate2 = true
    const draft = open.at(-1)
    if (!draft) return
    spent += frame.cost + (frame.precompileCost ?? 0n)
    take(draft, frame, next)
    if (frame.halt) stop(frame)
  }

  function gasOfRoot(gasLeft: bigint): void {
    if (!first || !last) return
    const refund = gasLeft > last.gas ? gasLeft - last.gas : last.refund
    root.result!.gasUsed = first.gas - gasLeft + refund
  }

  return {
    sink,
    finish({ halt, output, gasUsed }) {
      gasOfRoot(tx.gasLimit - gasUsed)
      if (created && !last) root.result!.code = output
      return drafts.map(({ doubtedAt, error, ...draft }) => {
        const reverted = doubtedAt !== undefined && revertedAt.has(doubtedAt)
        if (draft.type === 'create' && namesMethod) draft.action.creationMethod = usesCreate2 ? 'create2' : 'create'
        return {
          ...draft,
          error: error ?? (reverted ? 'revert' : undefined),
          revertReason: draft.result === root.result && halt === 'revert' ? output : undefined,
        }
      })
    },
  }
}
