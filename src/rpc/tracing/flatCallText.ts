import type { CallFrame } from '../../execution/tracing/callTracer.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { gethHaltText } from '../calls/gethHaltText.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import { integer } from '../codecs/integer.ts'
import { list } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

export interface FlatCallOptions {
  /** Errors in the words of Parity. */
  readonly convertParityErrors: boolean
  /** With calls of precompiles, which Parity leaves out. */
  readonly includePrecompiles: boolean
}

/** Where a transaction stands in the chain. */
export interface TxPlace {
  readonly blockHash: Hash32
  readonly blockNumber: bigint
  readonly txHash: Hash32
  readonly index: number
}

interface FlatCall {
  readonly frame: CallFrame
  readonly path: readonly number[]
  readonly inner: number
  readonly error: string | undefined
  /** Undefined for a call that is in no block. */
  readonly place: TxPlace | undefined
}

const isCreation = ({ kind }: CallFrame) => kind === 'CREATE' || kind === 'CREATE2'
const isEnd = ({ kind }: CallFrame) => kind === 'SELFDESTRUCT'
const isCall = (frame: CallFrame) => !isCreation(frame) && !isEnd(frame)
const isReverted = ({ failure }: CallFrame) => failure?.halt === 'revert'

/** A value of the frames of one kind. */
const of =
  <T>(isOne: (frame: CallFrame) => boolean, get: (frame: CallFrame) => T) =>
  (frame: CallFrame): T | undefined =>
    isOne(frame) ? get(frame) : undefined

/** What geth does not keep of frames that failed otherwise than by a revert. */
const outputOf = (frame: CallFrame): Uint8Array =>
  frame.failure && !isReverted(frame) ? new Uint8Array(0) : frame.output
const createdBy = ({ to, failure }: CallFrame): Address | undefined => (failure ? undefined : to)

const actionObject = record<CallFrame>('call action', (member) => [
  member.optional(
    'address',
    address,
    of(isEnd, ({ from }) => from),
  ),
  member.optional(
    'balance',
    quantity,
    of(isEnd, ({ value }) => value),
  ),
  member.optional(
    'callType',
    text,
    of(isCall, ({ kind }) => kind.toLowerCase()),
  ),
  member.optional(
    'from',
    address,
    of(
      (frame) => !isEnd(frame),
      ({ from }) => from,
    ),
  ),
  member.optional(
    'gas',
    quantity,
    of(
      (frame) => !isEnd(frame),
      ({ gas }) => gas,
    ),
  ),
  member.optional(
    'init',
    data,
    of(isCreation, ({ input }) => input),
  ),
  member.optional(
    'input',
    data,
    of(isCall, ({ input }) => input),
  ),
  member.optional(
    'refundAddress',
    address,
    of(isEnd, ({ to }) => to),
  ),
  member.optional(
    'to',
    address,
    of(isCall, ({ to }) => to),
  ),
  member.optional(
    'value',
    quantity,
    of(
      (frame) => !isEnd(frame),
      ({ value }) => value,
    ),
  ),
])

const resultObject = record<CallFrame>('call result', (member) => [
  member.optional('address', address, of(isCreation, createdBy)),
  member.optional('code', data, of(isCreation, outputOf)),
  member('gasUsed', quantity, ({ gasUsed }) => gasUsed),
  member.optional('output', data, of(isCall, outputOf)),
])

const hasResult = (frame: CallFrame) => !isEnd(frame) && (!frame.failure || isReverted(frame))

const flatCallObject = record<FlatCall>('flat call', (member) => [
  member('action', actionObject, ({ frame }) => frame),
  member('blockHash', nullable(hash), ({ place }) => place?.blockHash),
  member('blockNumber', integer, ({ place }) => Number(place?.blockNumber ?? 0n)),
  member.optional('error', text, ({ error }) => error),
  member.optional('result', resultObject, ({ frame }) => (hasResult(frame) ? frame : undefined)),
  member('subtraces', integer, ({ inner }) => inner),
  member('traceAddress', list(integer), ({ path }) => path),
  member('transactionHash', nullable(hash), ({ place }) => place?.txHash),
  member('transactionPosition', integer, ({ place }) => place?.index ?? 0),
  member('type', text, ({ frame }) => (isEnd(frame) ? 'suicide' : isCreation(frame) ? 'create' : 'call')),
])

/** Parity's words for those of geth that have one. */
const parityTexts: ReadonlyMap<string, string> = new Map([
  ['contract creation code storage out of gas', 'Out of gas'],
  ['out of gas', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['stack limit reached 1024 (1023)', 'Out of stack'],
  ['precompiled contract failed', 'Built-in failed'],
])

function parityText(error: string): string {
  if (error.startsWith('invalid opcode:')) return 'Bad instruction'
  if (error.startsWith('stack underflow')) return 'Stack underflow'
  return parityTexts.get(error) ?? error
}

/** Calls of precompiles by the two opcodes that Parity looks at. */
const isLeftOut = ({ kind, runs }: CallFrame) => runs === 'precompile' && (kind === 'CALL' || kind === 'STATICCALL')

/** A tree of calls as geth's `flatCallTracer` shows it, call by call. */
export function* flatCallsText(
  root: CallFrame,
  { convertParityErrors, includePrecompiles }: FlatCallOptions,
  place: TxPlace | undefined,
): Generator<string> {
  function* show(frame: CallFrame, path: readonly number[]): Generator<string> {
    const calls = includePrecompiles ? frame.calls : frame.calls.filter((one) => !isLeftOut(one))
    const words = frame.failure && gethHaltText(frame.failure)
    const error = words !== undefined && convertParityErrors ? parityText(words) : words
    yield (path.length > 0 ? ',' : '') + flatCallObject.encode({ frame, path, inner: calls.length, error, place })
    for (const [i, call] of calls.entries()) yield* show(call, [...path, i])
  }
  yield '['
  yield* show(root, [])
  yield ']'
}
