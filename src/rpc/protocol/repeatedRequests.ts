import type { ChainView } from '../../chain/view.ts'
import type { RpcPorts } from './context.ts'
import type { Answer, CallMeter, Reply } from './dispatch.ts'
import type { Requester } from './requester.ts'

/** Replies by the text of the request: many clients send the very same text again between two blocks. */
export interface RepeatedRequests {
  /** The reply to a request that came before, on the same view of the chain; undefined if it has to be read. */
  answer(text: string, ports: RpcPorts, requester: Requester): Reply | undefined
  /** Keeps the reply to a request of which all calls, of these methods, were answered from kept results. */
  keep(text: string, ports: RpcPorts, methods: readonly string[], answer: Answer): void
}

interface Kept {
  readonly reply: Reply
  readonly methods: readonly string[]
}

/** Maximum size of all requests with their replies, and of one, in characters. */
const maxSize = 4 << 20
const maxOne = 64 << 10

export function createRepeatedRequests(onCall: CallMeter | undefined, now: () => number): RepeatedRequests {
  const replies = new Map<string, Kept>()
  let of: ChainView | undefined
  let size = 0
  return {
    answer(text, ports, requester) {
      const began = now()
      const kept = replies.get(text)
      // Who may call what is looked up each time.
      if (!kept || requester.may || ports.chain!() !== of) return undefined
      const { reply, methods } = kept
      requester.spend?.(methods.length - 1)
      if (onCall) {
        const seconds = (now() - began) / 1000 / methods.length
        for (const name of methods) onCall(name, seconds)
      }
      return reply
    },
    keep(text, ports, methods, answer) {
      if (answer instanceof Promise || typeof answer.body !== 'string') return
      const view = ports.chain!()
      const more = text.length + answer.body.length
      if (more > maxOne) return
      if (view !== of || size + more > maxSize) {
        replies.clear()
        size = 0
        of = view
      }
      size += more
      replies.set(text, { reply: answer, methods })
    },
  }
}
