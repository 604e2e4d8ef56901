import { concatBytes } from '../../../primitives/bytes.ts'

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

/** Adds an event to those that are posted together in this turn of the event loop. Counts are not negative. */
export type Tell = (id: number, kind: number, content: Content) => void

export function createTell(post: (events: Events) => void): Tell {
  let list: (number | string)[] = []
  let chunks: Uint8Array[] = []
  function flush(): void {
    // A new array, all of its memory: a message carries the whole memory that an array is part of.
    const events = { list, bytes: chunks.length > 0 ? concatBytes(...chunks) : undefined }
    list = []
    chunks = []
    post(events)
  }
  return (id, kind, content) => {
    if (list.length === 0) setImmediate(flush)
    if (typeof content === 'object') {
      chunks.push(content)
      list.push(id, kind, ~content.length)
    } else list.push(id, kind, content)
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
