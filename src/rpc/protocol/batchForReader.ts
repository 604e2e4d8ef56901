import type { Method } from './method.ts'
import { onlyReads } from './onlyReads.ts'
import { type Call, type IdText, type Json, readCall } from './readCall.ts'

/** The method of a call, if the node serves it. */
type Asked = { readonly method: Method; readonly isLong: boolean } | undefined

/** The calls of a batch that a reader can answer as a whole, and should if one of them takes long; undefined for other batches. */
export function callsForReader(
  calls: readonly unknown[],
  ids: readonly IdText[],
  asked: readonly Asked[],
): Call[] | undefined {
  if (!asked.some((one) => one?.isLong)) return undefined
  const read: Call[] = []
  for (const [i, json] of calls.entries()) {
    const one = asked[i]
    const call = one && onlyReads(one.method) ? readCall(json as Json, ids[i]) : undefined
    if (!call) return undefined
    read.push(call)
  }
  return read
}

/** What a batch counts as: how long batches take is learnt by their first method. */
export function batchMethod([first]: readonly Call[]): string {
  return `${first!.name} and others`
}
