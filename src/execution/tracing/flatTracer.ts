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

class CallFlattener {
  private readonly tx: Tx
  private readonly namesMethod: boolean
  private readonly created: Address | undefined
  private readonly root: Draft
  private readonly drafts: Draft[]
  private readonly open: Draft[]
  /** Depths at which a message reverted before the first RETURN. */
  private readonly revertedAt = new Set<number>()
  private returned = false
  private usesCreate2 = false
  private first: BesuFrame | undefined
  /** The entry that ended the outermost message. */
  private last: BesuFrame | undefined
  private spent = 0n

  constructor(tx: Tx, sender: Address, namesMethod: boolean) {
    this.namesMethod = namesMethod
    this.tx = tx
    this.created = tx.to ? undefined : createdBy(sender, tx.nonce)
    this.root = {
      type: tx.to ? 'call' : 'create',
      action: tx.to
        ? { callType: 'call', from: sender, input: tx.data, to: tx.to, value: tx.value }
        : { from: sender, init: tx.data, value: tx.value },
      result: this.created
        ? { gasUsed: 0n, address: this.created, code: emptyBytes }
        : { gasUsed: 0n, output: emptyBytes },
      ...{ traceAddress: [], subtraces: 0, error: undefined, doubtedAt: undefined },
    }
    this.drafts = [this.root]
    this.open = [this.root]
  }

  private close(): void {
    this.open.pop()
    const outer = this.open.at(-1)
    if (outer) outer.subtraces++
  }

  private start(type: 'call' | 'create', action: FlatAction, result: FlatResult): Draft {
    const traceAddress = this.open.map((draft) => draft.subtraces)
    const draft: Draft = { type, action, result, traceAddress, subtraces: 0, error: undefined, doubtedAt: undefined }
    // Stands where a trace is never closed.
    result.gasUsed = -this.spent
    this.drafts.push(draft)
    this.open.push(draft)
    return draft
  }

  private startCall(frame: BesuFrame, next: BesuFrame | undefined): void {
    if (!next || next.depth <= frame.depth) return
    const action: FlatAction = {
      callType: frame.op.toLowerCase(),
      from: selfOf(this.open.at(-1)!),
      gas: next.gas,
      input: next.message.input,
      value: frame.message.value,
    }
    if (frame.second !== undefined) action.to = addressOf(frame.second)
    this.start('call', action, { gasUsed: 0n, output: emptyBytes }).doubtedAt = next.depth
  }

  private startCreation(frame: BesuFrame, next: BesuFrame | undefined): void {
    const gas = gasForCreation(frame, next)
    const from = this.created ?? selfOf(this.open.at(-1)!)
    const action: FlatAction = { from, gas, init: frame.code, value: next?.message.value ?? 0n }
    this.start('create', action, { gasUsed: 0n, output: emptyBytes, address: next?.message.recipient ?? zeroAddress })
  }

  private endWell(draft: Draft, frame: BesuFrame): void {
    const { action, result } = draft
    action.value = frame.message.value
    if (draft === this.root) this.last = frame
    else result!.gasUsed = action.gas! - frame.gas
    if (result!.code === undefined) result!.output = frame.output
    if (action.callType === undefined) {
      action.init = frame.code
      result!.code = frame.output
      delete result!.output
      if (draft !== this.root) result!.gasUsed += BigInt(frame.output.length) * depositPrice
    }
    this.close()
  }

  private destroy(draft: Draft, frame: BesuFrame): void {
    const { action, result } = draft
    result!.gasUsed = action.gas! - frame.gas + frame.cost
    const refundAddress = addressOf(frame.top ?? 0n)
    const address =
      action.callType === undefined ? frame.message.recipient : action.callType === 'call' ? action.to : action.from
    this.drafts.push({
      type: 'suicide',
      action: { ...(address && { address }), balance: frame.balance, refundAddress },
      result: null,
      traceAddress: this.open.map((one) => one.subtraces),
      ...{ subtraces: 0, error: undefined, doubtedAt: undefined },
    })
    draft.subtraces++
    this.close()
  }

  private begin(frame: BesuFrame): void {
    this.first = frame
    this.root.action.gas = frame.gas + (frame.precompileCost ?? 0n)
    if (frame.precompileCost !== undefined) this.root.result!.gasUsed = frame.precompileCost
    if (this.tx.to) this.root.doubtedAt = frame.depth
  }

  private take(draft: Draft, frame: BesuFrame, next: BesuFrame | undefined): void {
    const { op, halt } = frame
    if (calls.has(op) || (op === 'SELFDESTRUCT' && halt)) this.startCall(frame, next)
    else if (op === 'CALLDATALOAD') draft.action.value = frame.message.value
    else if (op === 'RETURN' || op === 'STOP') this.endWell(draft, frame)
    else if (op === 'SELFDESTRUCT') this.destroy(draft, frame)
    else if ((op === 'CREATE' || op === 'CREATE2') && (!halt || frame.depth === 0)) this.startCreation(frame, next)
    else if (op === 'REVERT') {
      draft.error = 'revert'
      this.close()
    }
  }

  private stop(frame: BesuFrame): void {
    const draft = this.open.at(-1)
    const marked = draft ?? this.drafts.at(-1)!
    marked.error = frame.halt
    if (!draft) return
    draft.action.value = frame.message.value
    this.close()
  }

  readonly sink: BesuFrameSink = (frame, next) => {
    if (!this.first) this.begin(frame)
    if (frame.op === 'RETURN') this.returned = true
    if (frame.op === 'REVERT' && !this.returned) this.revertedAt.add(frame.depth)
    if (frame.op === 'CREATE2') this.usesCreate2 = true
    const draft = this.open.at(-1)
    if (!draft) return
    this.spent += frame.cost + (frame.precompileCost ?? 0n)
    this.take(draft, frame, next)
    if (frame.halt) this.stop(frame)
  }

  private gasOfRoot(gasLeft: bigint): void {
    if (!this.first || !this.last) return
    const refund = gasLeft > this.last.gas ? gasLeft - this.last.gas : this.last.refund
    this.root.result!.gasUsed = this.first.gas - gasLeft + refund
  }

  readonly finish: { readonly sink: BesuFrameSink; finish(outcome: TxOutcome): FlatTrace[] }['finish'] = ({
    halt,
    output,
    gasUsed,
  }) => {
    this.gasOfRoot(this.tx.gasLimit - gasUsed)
    if (this.created && !this.last) this.root.result!.code = output
    return this.drafts.map(({ doubtedAt, error, ...draft }) => {
      const reverted = doubtedAt !== undefined && this.revertedAt.has(doubtedAt)
      if (draft.type === 'create' && this.namesMethod)
        draft.action.creationMethod = this.usesCreate2 ? 'create2' : 'create'
      return {
        ...draft,
        error: error ?? (reverted ? 'revert' : undefined),
        revertReason: draft.result === this.root.result && halt === 'revert' ? output : undefined,
      }
    })
  }
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
  return new CallFlattener(tx, sender, namesMethod)
}
