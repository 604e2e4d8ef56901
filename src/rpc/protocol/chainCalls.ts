import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import type { Params } from '../../jsonrpc/readCall.ts'
import type { Requester } from './requester.ts'

/** What a method has returned, as JSON text, or why it failed. */
export type Outcome = { readonly result: string } | { readonly error: ErrorObject }

/** Methods that run in the thread of the chain, because they need what only that has: the pool, peers, votes, private transactions. */
export interface ChainCalls {
  serves(name: string): boolean
  /** Runs a call; the chain as the server sees it afterwards includes what the call has changed. */
  call(name: string, params: Params, requester: Requester): Promise<Outcome>
}
