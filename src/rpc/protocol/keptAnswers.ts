import type { ChainView } from '../../chain/view.ts'
import { encodedText } from '../../primitives/longText.ts'
import type { RpcPorts } from './context.ts'
import type { JsonText, Method } from './method.ts'
import { onlyReads } from './onlyReads.ts'

/** Whether the result of a method depends on nothing but its parameters and the view of the chain; traces may write files. */
function isFixed(method: Method): boolean {
  const { needs } = method
  return needs.includes('chain') && onlyReads(method) && !needs.includes('traces')
}

/** Results of one view of the chain, as JSON text or as pieces that can be read again: clients ask the same questions again and again between two blocks. */
interface KeptAnswers {
  /** Undefined if the result was not kept for this view. */
  find(view: ChainView, key: string): JsonText | undefined
  /** Keeps a result of the present view. Returns it; pieces are kept once the client has taken all of them. */
  put(view: ChainView, key: string, result: JsonText): JsonText
}

/** Maximum size of all results and of one result with its key, in characters. */
const maxSize = 16 << 20
const maxOne = 1 << 20

/** Characters from which a result is kept as bytes: to encode a text of this length for each client costs more than all else. */
const longText = 16 << 10

function createKeptAnswers(): KeptAnswers {
  const results = new Map<string, JsonText>()
  /** Questions whose answers came in pieces: most are asked once only, so the pieces of the second answer are the ones to join. */
  const asked = new Set<string>()
  let of: ChainView | undefined
  let size = 0

  function startOver(view: ChainView): void {
    results.clear()
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

  function keep(view: ChainView, key: string, result: JsonText, length: number): void {
    if (makeRoom(view, key.length + length)) results.set(key, result)
  }

  function* joined(pieces: Iterable<string>, view: ChainView, key: string): Generator<string> {
    const taken: string[] = []
    let length = 0
    for (const piece of pieces) {
      length += piece.length
      if (length <= maxOne) taken.push(piece)
      yield piece
    }
    if (length <= maxOne && view === of) keep(view, key, encodedText(Buffer.from(taken.join(''))), length)
  }

  function keepText(view: ChainView, key: string, text: string): JsonText {
    const result = text.length < longText ? text : encodedText(Buffer.from(text))
    keep(view, key, result, text.length)
    return result
  }

  return {
    find: (view, key) => (view === of ? results.get(key) : undefined),
    put(view, key, result) {
      if (typeof result === 'string') return keepText(view, key, result)
      if (view === of && asked.has(key)) return joined(result, view, key)
      if (makeRoom(view, key.length)) asked.add(key)
      return result
    },
  }
}

/** The kept results that a call may be answered from; undefined if the method has to run each time. */
export type KeptFor = (ports: RpcPorts) => KeptAnswers | undefined

/**
 * Keeps the results of methods that only read, where they are the same for everybody. On the development network code that is
 * executed may print a line, and may see the next block as a test has prepared it, so it is executed each time.
 */
export function keepAnswers(): (method: Method) => KeptFor {
  const kept = createKeptAnswers()
  return (method) => {
    // What has no parameters is answered as quickly as it is found.
    if (!isFixed(method) || method.params.length === 0) return () => undefined
    if (!method.needs.includes('evms')) return () => kept
    return ({ evms }) => (evms?.nextBlock ? undefined : kept)
  }
}
