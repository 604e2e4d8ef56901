import type { ChainView } from '../../chain/view.ts'
import { findCall, findCalls } from './callText.ts'
import type { RpcPorts } from './context.ts'
import type { CallMeter, Reply } from './dispatch.ts'
import type { KeptAnswers } from './keptAnswers.ts'
import { batchText, successText } from './replyText.ts'
import type { Requester } from './requester.ts'

/** Answers a request that need not be parsed; undefined for all others. */
type AnswerUnread = (text: string, ports: RpcPorts, requester: Requester) => Reply | undefined

/** A batch that may come again with the same ids. */
interface SameBatch {
  readonly text: string
  readonly view: ChainView
  /** The method of each call. */
  readonly methods: readonly string[]
  /** Each of them once. */
  readonly distinct: ReadonlySet<string>
  readonly reply: Reply
}

/** Batches that are remembered as a whole, and the maximum length of one. */
const maxBatches = 8
const maxLength = 64 << 10

/** Answers requests of which all answers are kept, and whose callers may call all of their methods. */
export function answerUnread(
  kept: KeptAnswers,
  maxBatch: number,
  onCall: CallMeter | undefined,
  now: () => number,
): AnswerUnread {
  let batches: SameBatch[] = []

  function single(text: string, ports: RpcPorts, { may }: Requester): Reply | undefined {
    const began = onCall ? now() : 0
    const call = findCall(text)
    const answer = call && kept.find(ports, call.key)
    if (!answer || may?.(answer.method) === false) return undefined
    onCall?.(answer.method, (now() - began) / 1000)
    return { status: 200, body: successText(call.id, answer.result) }
  }

  function batch(text: string, ports: RpcPorts, requester: Requester): Reply | undefined {
    const began = onCall ? now() : 0
    const known = findBatch(text, ports, requester) ?? readBatch(text, ports, requester)
    if (!known) return undefined
    const { methods, reply } = known
    requester.spend?.(methods.length - 1)
    if (onCall) {
      const seconds = (now() - began) / 1000 / methods.length
      for (const name of methods) onCall(name, seconds)
    }
    return reply
  }

  function findBatch(text: string, ports: RpcPorts, { may }: Requester): SameBatch | undefined {
    // A comparison with what has other ids ends at the first of them; a map would have to hash all of the text.
    const same = batches.find((one) => one.text === text)
    if (!same || same.view !== ports.chain!()) return undefined
    if (may) for (const name of same.distinct) if (!may(name)) return undefined
    return same
  }

  function readBatch(text: string, ports: RpcPorts, { may }: Requester): SameBatch | undefined {
    const calls = findCalls(text, maxBatch)
    if (!calls) return undefined
    const parts: ReturnType<typeof successText>[] = []
    const methods: string[] = []
    for (const piece of calls.pieces) {
      const call = calls.read(piece)
      const answer = call && kept.find(ports, call.key)
      if (!answer || may?.(answer.method) === false) return undefined
      parts.push(successText(call.id, answer.result))
      methods.push(answer.method)
    }
    const body = batchText(parts)
    const reply: Reply = { status: 200, body }
    const one = { text, view: ports.chain!(), methods, distinct: new Set(methods), reply }
    if (typeof body === 'string' && text.length + body.length <= maxLength)
      batches = [one, ...batches.filter(({ view }) => view === one.view).slice(0, maxBatches - 1)]
    return one
  }

  return (text, ports, requester) =>
    text.startsWith('[') ? batch(text, ports, requester) : single(text, ports, requester)
}
