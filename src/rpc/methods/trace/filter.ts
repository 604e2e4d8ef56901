import { type Address, keyOf } from '../../../primitives/bytes.ts'
import { numberOf } from '../../blocks/resolveBlock.ts'
import { anyBlockNumber, type BlockNumberRef, latest } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { index } from '../../codecs/integer.ts'
import { decodeObject, optionalMember } from '../../codecs/jsonObject.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { flatTraceObject, type PlacedTrace } from '../../tracing/flatTraceObject.ts'
import { rewardsOfBlock, tracesOfBlock } from '../../tracing/placedTraces.ts'
import type { TracingPorts } from '../../tracing/replay.ts'

interface TraceFilter {
  readonly fromBlock: BlockNumberRef
  readonly toBlock: BlockNumberRef
  /** Matches any of these; empty matches all. */
  readonly from: ReadonlySet<string>
  readonly to: ReadonlySet<string>
  readonly after: number
  readonly count: number
}

const addresses = listDecoder(address)
/** One address, or a list. */
const anyAddresses: Decoder<readonly Address[]> = {
  schema: { oneOf: [address.schema, addresses.schema] },
  decode: (json) => (Array.isArray(json) ? addresses.decode(json) : [address.decode(json)]),
}

const traceFilter: Decoder<TraceFilter> = {
  schema: {
    title: 'trace filter',
    type: 'object',
    properties: {
      fromBlock: anyBlockNumber.schema,
      toBlock: anyBlockNumber.schema,
      fromAddress: anyAddresses.schema,
      toAddress: anyAddresses.schema,
      after: index.schema,
      count: index.schema,
    },
  },
  decode(json) {
    const object = decodeObject(json)
    const keys = (name: string) => new Set(optionalMember(object, name, anyAddresses)?.map(keyOf))
    return {
      fromBlock: optionalMember(object, 'fromBlock', anyBlockNumber) ?? latest,
      toBlock: optionalMember(object, 'toBlock', anyBlockNumber) ?? latest,
      from: keys('fromAddress'),
      to: keys('toAddress'),
      after: optionalMember(object, 'after', index) ?? 0,
      count: optionalMember(object, 'count', index) ?? Number.MAX_SAFE_INTEGER,
    }
  },
}

/** Maximum block range if the operator has not set one. */
const usualRange = 1000n

function fits({ trace }: PlacedTrace, { from, to }: TraceFilter): boolean {
  const { action } = trace
  if (from.size > 0 && !(action.from && from.has(keyOf(action.from)))) return false
  return to.size === 0 || (action.to !== undefined && to.has(keyOf(action.to)))
}

function* matches(ports: TracingPorts, filter: TraceFilter, first: bigint, last: bigint): Generator<PlacedTrace> {
  for (let number = first; number <= last; number++) {
    const hashed = ports.chain.blockAt(number)
    if (!hashed) return
    if (number === 0n) continue
    for (const trace of tracesOfBlock(ports, hashed)) if (fits(trace, filter)) yield trace
    for (const trace of rewardsOfBlock(ports, hashed)) if (fits(trace, filter)) yield trace
  }
}

export const trace_filter = method({
  name: 'trace_filter',
  doc: 'Returns the traces in a range of blocks, optionally only those from and to given addresses.',
  needs: ['chain', 'evms', 'limits', 'traces'],
  params: [param('filter', traceFilter)],
  result: listEncoder(flatTraceObject),
  errors: [[-32005, 'The block range exceeds `--rpc-max-trace-filter-range`.']],
  example: [{ fromBlock: 'earliest', toBlock: 'latest' }],
  handler(ports, [filter]) {
    const first = numberOf(ports.chain, filter.fromBlock)
    const last = numberOf(ports.chain, filter.toBlock)
    const max = ports.limits.maxTraceRange ?? usualRange
    if (max > 0n && last - first > max) throw new RpcError({ code: 'LOGS_RANGE_EXCEEDED' })
    const found: PlacedTrace[] = []
    const end = filter.after + filter.count
    let seen = 0
    for (const trace of matches(ports, filter, first, last)) {
      if (seen >= end) break
      if (seen++ >= filter.after) found.push(trace)
    }
    return found
  },
})
