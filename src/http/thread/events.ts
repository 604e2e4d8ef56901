import { concatBytes } from '../../primitives/bytes.ts'

/** What an event carries: a count, a text or bytes. */
export type Content = number | string | Uint8Array

/**
 * What happened to connections. One list and one piece of memory for many events cost both threads much less than a message, or
 * an array, for each.
 */
export interface Events {
  /** The number of the connection, the kind of the event and its content, one after the other; bytes by `~length`. */
  readonly list: readonly (number | string)[]
  /** The bytes of all events, in their order. */
  readonly bytes: Uint8Array | undefined
}

/** Events that the thread reports to the node. */
export const reported = {
  /** A client has connected. Content: its address and port, separated by a space. */
  opened: 0,
  /** The client has sent bytes. */
  received: 1,
  /** The client will send nothing more. */
  ended: 2,
  /** Content: so much of what was to be sent is sent. */
  sent: 3,
  /** Everything is sent, and the client knows that nothing more comes. */
  finished: 4,
  closed: 5,
} as const

/** Events that the node orders from the thread. */
export const ordered = {
  /** Send a text of one byte per character. */
  latin1: 0,
  /** Send a text. */
  utf8: 1,
  /** Send bytes. */
  bytes: 2,
  /** Nothing more is to be sent. */
  end: 3,
  /** Close the connection. */
  close: 4,
  /** Read nothing more for now. */
  pause: 5,
  resume: 6,
} as const

/** Adds an event to those that are posted together. Counts are not negative; bytes are the teller's no more. */
export type Tell = (id: number, kind: number, content: Content) => void

/** Events after which nobody waits for the end of the turn: the other thread works on them meanwhile. */
const maxEvents = 16
/** Bytes from which memory changes hands; less is copied, which costs less than to hand it over. */
const longPiece = 16 * 1024

/** Posts events at the end of a turn of the event loop, or earlier if they are many. */
export function createTeller(post: (events: Events, owned: ArrayBuffer[]) => void): Tell {
  let list: (number | string)[] = []
  let chunks: Uint8Array[] = []
  let size = 0

  function flush(): void {
    if (list.length === 0) return
    const bytes = joined()
    const events = { list, bytes }
    list = []
    chunks = []
    size = 0
    post(events, bytes && bytes.length >= longPiece ? [bytes.buffer as ArrayBuffer] : [])
  }

  /** An array that has all of its memory for itself: a message carries the whole memory that an array is part of. */
  function joined(): Uint8Array | undefined {
    const [first] = chunks
    if (!first || (chunks.length === 1 && first.length === first.buffer.byteLength)) return first
    return concatBytes(...chunks)
  }

  return (id, kind, content) => {
    if (list.length === 0) setImmediate(flush)
    if (typeof content === 'object') {
      // What is long goes by itself, so that it need not be copied.
      if (content.length >= longPiece) flush()
      chunks.push(content)
      size += content.length
      list.push(id, kind, ~content.length)
    } else list.push(id, kind, content)
    if (size >= longPiece || list.length >= 3 * maxEvents) flush()
  }
}

/** Calls `handle` for each of the events. */
export function forEachEvent({ list, bytes }: Events, handle: Tell): void {
  let at = 0
  for (let i = 0; i < list.length; i += 3) {
    let content: Content = list[i + 2]!
    if (typeof content === 'number' && content < 0) {
      const end = at + ~content
      content = bytes!.subarray(at, end)
      at = end
    }
    handle(list[i] as number, list[i + 1] as number, content)
  }
}
