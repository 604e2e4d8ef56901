import type { IdText } from '../../jsonrpc/idText.ts'
import { type Call, type Params, readCall } from '../../jsonrpc/readCall.ts'
import type { JsonObject } from '../../primitives/json.ts'
import type { Method } from './method.ts'
import { onlyReads } from './onlyReads.ts'

/** The calls of a batch if all of them only read and `isForReader` says of one that a reader runs it: then they share its snapshot. */
export function callsForReader<One extends { readonly method: Method }>(
  calls: readonly unknown[],
  ids: readonly IdText[],
  asked: readonly (One | undefined)[],
  isForReader: (one: One, params: Params) => boolean,
): Call[] | undefined {
  const read: Call[] = []
  let isWanted = false
  for (const [i, json] of calls.entries()) {
    const one = asked[i]
    const call = one && onlyReads(one.method) ? readCall(json as JsonObject, ids[i]) : undefined
    if (!call) return undefined
    isWanted ||= isForReader(one!, call.params)
    read.push(call)
  }
  return isWanted ? read : undefined
}

/** Milliseconds of a batch for each call whose own time is not known. */
const usualTime = 60_000

/** Milliseconds after which a reader that runs the batch is ended; undefined for the usual time. */
export function batchRunTime(
  calls: readonly Call[],
  asked: readonly ({ readonly method: Method } | undefined)[],
): number | undefined {
  const times = calls.map(({ params }, i) => asked[i]?.method.runTimeOf?.(params))
  if (times.every((time) => time === undefined)) return undefined
  return times.reduce<number>((sum, time) => sum + (time ?? usualTime), 0)
}

/** What a batch counts as: how long batches take is learnt by their first method. */
export function batchMethod([first]: readonly Call[]): string {
  return `${first!.name} and others`
}
