import type { Method } from './method.ts'
import { onlyReads } from './onlyReads.ts'
import { type Call, type IdText, type Json, type Params, readCall } from './readCall.ts'

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
    const call = one && onlyReads(one.method) ? readCall(json as Json, ids[i]) : undefined
    if (!call) return undefined
    isWanted ||= isForReader(one!, call.params)
    read.push(call)
  }
  return isWanted ? read : undefined
}

/** What a batch counts as: how long batches take is learnt by their first method. */
export function batchMethod([first]: readonly Call[]): string {
  return `${first!.name} and others`
}
