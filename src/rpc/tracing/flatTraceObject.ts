import type { FlatAction, FlatResult, FlatTrace } from '../../execution/tracing/flatTrace.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { haltTexts } from '../calls/haltTexts.ts'
import { address, data, hash } from '../codecs/bytes.ts'
import type { Encoder } from '../codecs/codec.ts'
import { integer } from '../codecs/integer.ts'
import { list } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { quantity } from '../codecs/quantity.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** Where a trace stands in the chain. */
interface TracePlace {
  readonly blockHash: Hash32
  readonly blockNumber: bigint
  /** Undefined for a reward. */
  readonly tx: { readonly hash: Hash32; readonly index: number } | undefined
}

/** A trace, with its place where it is in the chain. */
export interface PlacedTrace {
  readonly trace: FlatTrace
  readonly place: TracePlace | undefined
}

const actionObject = record<FlatAction>('trace action', (member) => [
  member.optional('creationMethod', text, (action) => action.creationMethod),
  member.optional('callType', text, (action) => action.callType),
  member.optional('from', address, (action) => action.from),
  member.optional('gas', quantity, (action) => action.gas),
  member.optional('input', data, (action) => action.input),
  member.optional('to', address, (action) => action.to),
  member.optional('init', data, (action) => action.init),
  member.optional('author', address, (action) => action.author),
  member.optional('rewardType', text, (action) => action.rewardType),
  member.optional('value', quantity, (action) => action.value),
  member.optional('address', address, (action) => action.address),
  member.optional('balance', quantity, (action) => action.balance),
  member.optional('refundAddress', address, (action) => action.refundAddress),
])

const resultObject = record<FlatResult>('trace result', (member) => [
  member.optional('address', address, (result) => result.address),
  member.optional('code', data, (result) => result.code),
  // Besu shows a negative amount, of a trace that was never closed, in two's complement.
  member('gasUsed', quantity, (result) => BigInt.asUintN(64, result.gasUsed)),
  member.optional('output', data, (result) => result.output),
])

const number: Encoder<bigint> = { schema: { type: 'integer' }, encode: String }

/** A member that is there, but may be null. */
interface Shown<T> {
  readonly value: T | undefined
}

function shown<T>(inner: Encoder<T>): Encoder<Shown<T>> {
  const either = nullable(inner)
  return { schema: either.schema, encode: ({ value }) => either.encode(value) }
}

/** A flat trace, with the members in Besu's order. */
export const flatTraceObject = record<PlacedTrace>('trace', (member) => [
  member('action', actionObject, ({ trace }) => trace.action),
  member.optional('blockHash', hash, ({ place }) => place?.blockHash),
  member.optional('blockNumber', number, ({ place }) => place?.blockNumber),
  member.optional('error', text, ({ trace }) => trace.error && haltTexts[trace.error]),
  member.optional('result', shown(resultObject), ({ trace }) =>
    trace.error ? undefined : { value: trace.result ?? undefined },
  ),
  member.optional('revertReason', data, ({ trace }) => trace.revertReason),
  member('subtraces', integer, ({ trace }) => trace.subtraces),
  member('traceAddress', list(integer), ({ trace }) => trace.traceAddress),
  member.optional('transactionHash', shown(hash), ({ place }) => place && { value: place.tx?.hash }),
  member.optional('transactionPosition', shown(integer), ({ place }) => place && { value: place.tx?.index }),
  member('type', text, ({ trace }) => trace.type),
])
