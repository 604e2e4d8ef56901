/** A call, found in the text of a request. */
export interface CallText {
  /** The id as JSON text. */
  readonly id: string
  /** What the answer would be kept by. */
  readonly key: string
}

/** How clients write a call: what it starts with, and where its id is. */
interface Layout {
  readonly start: string
  /** Finds id and key in what follows the start, without the last brace; undefined if they are not where they should be. */
  read(rest: string): CallText | undefined
}

const beforeMethod = ',"method":"'
const beforeId = ',"id":'

/** viem, web3.js, go-ethereum. */
const idFirst: Layout = {
  start: '{"jsonrpc":"2.0","id":',
  read(rest) {
    const end = rest.indexOf(beforeMethod)
    const id = rest.slice(0, Math.max(0, end))
    return isPlainId(id) ? { id, key: rest.slice(end + beforeMethod.length) } : undefined
  },
}

/** A layout with the id behind the parameters. */
function idLast(start: string, end: string): Layout {
  return {
    start,
    read(rest) {
      const at = rest.lastIndexOf(beforeId)
      const id = at < 0 ? '' : rest.slice(at + beforeId.length, rest.length - end.length)
      if (!isPlainId(id) || !rest.endsWith(end)) return undefined
      return { id, key: rest.slice(0, at) }
    },
  }
}

/** web3j. */
const afterVersion = idLast('{"jsonrpc":"2.0","method":"', '')
/** ethers. */
const beforeVersion = idLast('{"method":"', ',"jsonrpc":"2.0"')

function layoutAt(text: string, from: number): Layout | undefined {
  if (text.startsWith(idFirst.start, from)) return idFirst
  if (text.startsWith(beforeVersion.start, from)) return beforeVersion
  return text.startsWith(afterVersion.start, from) ? afterVersion : undefined
}

const quote = 0x22
/** Numbers that JSON.parse keeps as they are have fewer digits. */
const maxId = 16

/** Whether an id is the same text in the reply: an integer, or a string without anything special. */
function isPlainId(id: string): boolean {
  const first = id.charCodeAt(0)
  if (first === quote) return /^"[0-9A-Za-z_-]{0,64}"$/.test(id)
  // A loop, because a regular expression shows in the times of short methods.
  for (let i = 0; i < id.length; i++) if (!isDigit(id.charCodeAt(i))) return false
  return id.length > 0 && id.length < maxId && (first !== 0x30 || id.length === 1)
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Finds the only call of a request; what follows holds for it, too. */
export function findCall(text: string): CallText | undefined {
  const layout = layoutAt(text, 0)
  return layout && text.endsWith('}') ? layout.read(text.slice(layout.start.length, -1)) : undefined
}

/** The calls of a batch that was not parsed. */
interface CallTexts {
  readonly pieces: readonly string[]
  read(piece: string): CallText | undefined
}

/**
 * Finds the calls of a batch, of at most `max` if that is positive, without parsing it; undefined if it is not written as most
 * clients do. What it finds is right if all keys are those of kept answers: each of them is then a method with its parameters
 * in valid JSON, so that nothing else can be meant.
 */
export function findCalls(text: string, max: number): CallTexts | undefined {
  const layout = text.startsWith('[') && text.endsWith('}]') ? layoutAt(text, 1) : undefined
  if (!layout) return undefined
  const { start, read } = layout
  const pieces = text.slice(1 + start.length, -2).split(`},${start}`, max > 0 ? max + 1 : undefined)
  return max > 0 && pieces.length > max ? undefined : { pieces, read }
}
