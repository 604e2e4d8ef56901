import { callRemote, type SendText } from '../jsonrpc/remoteCall.ts'

/** Calls a method of the node whose contracts these are; rejects if it answers with an error. */
export type AskChain = <T>(method: string, params: readonly unknown[]) => Promise<T>

/** Milliseconds that a call may take: traces of old transactions run their block again. */
const patience = 60_000

/** An answer of the node that is an error. */
export class ChainRefusal extends Error {}

export function createAskChain(send: SendText): AskChain {
  return async <T>(method: string, params: readonly unknown[]) => {
    const reply = await callRemote(send, method, params, AbortSignal.timeout(patience))
    if (!reply) throw new ChainRefusal(`${method}: the node does not answer`)
    if ('error' in reply) throw new ChainRefusal(`${method}: ${reply.error.message}`)
    return reply.result as T
  }
}
