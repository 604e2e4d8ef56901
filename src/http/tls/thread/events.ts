/**
 * What happened to connections: the number of the connection, the kind of the event and its content, one after the other. A
 * flat list of many events costs both threads much less than a message for each.
 */
export type Events = (number | string | Uint8Array)[]

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

/** Adds an event to those that are posted together in this turn of the event loop. */
export type Tell = (id: number, kind: number, content: Events[number]) => void

export function createTell(post: (events: Events) => void): Tell {
  let events: Events = []
  function flush(): void {
    const all = events
    events = []
    post(all)
  }
  return (id, kind, content) => {
    if (events.length === 0) setImmediate(flush)
    events.push(id, kind, content)
  }
}

/** Calls `handle` for each of the events. */
export function forEachEvent(events: Events, handle: Tell): void {
  for (let i = 0; i < events.length; i += 3) handle(events[i] as number, events[i + 1] as number, events[i + 2]!)
}
