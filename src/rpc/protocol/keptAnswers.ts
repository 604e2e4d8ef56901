import type { ChainView } from '../../chain/view.ts'
import { encodedText } from '../../primitives/longText.ts'
import type { RpcPorts } from './context.ts'
import type { JsonText, Method } from './method.ts'
import { onlyReads } from './onlyReads.ts'

/** The result of a call, and the method that a caller must be allowed to call to get it. */
interface KeptAnswer {
  readonly method: string
  readonly result: JsonText
}

/**
 * Results of one view of the chain: clients ask the same questions again and again between two blocks. A result is JSON text,
 * or pieces that can be read again.
 */
export interface KeptAnswers {
  /** Undefined if the result was not kept, or for another view. */
  find(ports: RpcPorts, key: string): KeptAnswer | undefined
  /** Keeps a result of the present view. Returns it; pieces are kept once the client has taken all of them. */
  put(view: ChainView, key: string, method: string, result: JsonText): JsonText
}

/** What a result is kept by: how a call is written by most clients, from its method on. `callText.ts` finds it in requests. */
export function keyOf(method: string, params: readonly unknown[]): string {
  return `${method}","params":${JSON.stringify(params)}`
}

/** Maximum size of all results and of one result with its key, in characters. */
const maxSize = 16 << 20
const maxOne = 1 << 20

/** Characters from which a result is kept as bytes: to encode a text of this length for each client costs more than all else. */
const longText = 16 << 10

export function createKeptAnswers(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>()
  /** Questions whose answers came in pieces: most are asked once only, so the pieces of the second answer are the ones to join. */
  const asked = new Set<string>()
  let of: ChainView | undefined
  let size = 0

  function startOver(view: ChainView): void {
    answers.clear()
    asked.clear()
    size = 0
    of = view
  }

  function makeRoom(view: ChainView, more: number): boolean {
    if (more > maxOne) return false
    if (view !== of || size + more > maxSize) startOver(view)
    size += more
    return true
  }

  function keep(view: ChainView, key: string, answer: KeptAnswer, length: number): void {
    if (makeRoom(view, key.length + length)) answers.set(key, answer)
  }

  function* joined(pieces: Iterable<string>, view: ChainView, key: string, method: string): Generator<string> {
    const taken: string[] = []
    let length = 0
    for (const piece of pieces) {
      length += piece.length
      if (length <= maxOne) taken.push(piece)
      yield piece
    }
    if (length > maxOne || view !== of) return
    keep(view, key, { method, result: encodedText(Buffer.from(taken.join(''))) }, length)
  }

  function keepText(view: ChainView, key: string, method: string, text: string): JsonText {
    const result = text.length < longText ? text : encodedText(Buffer.from(text))
    keep(view, key, { method, result }, text.length)
    return result
  }

  return {
    find(ports, key) {
      const answer = answers.get(key)
      return answer && ports.chain!() === of ? answer : undefined
    },
    put(view, key, method, result) {
      if (typeof result === 'string') return keepText(view, key, method, result)
      if (view === of && asked.has(key)) return joined(result, view, key, method)
      if (makeRoom(view, key.length)) asked.add(key)
      return result
    },
  }
}

/**
 * Whether a method has results that are the same for all who may call it, with these ports; with parameters, whether the one
 * call has, unless the node hears it print something.
 */
export type IsKept = (ports: RpcPorts, params?: readonly unknown[]) => boolean

/**
 * Results are kept if they depend on nothing but the parameters and the view of the chain; traces may write files. On the
 * development network code that is executed may print a line, and may see the next block as a test has prepared it.
 */
export function isKept(method: Method): IsKept {
  const { needs } = method
  if (!needs.includes('chain') || !onlyReads(method) || needs.includes('traces')) return () => false
  if (!needs.includes('evms')) return () => true
  return ({ evms }, params) => !evms?.nextBlock || (params !== undefined && method.ignoresNextBlock(params))
}
