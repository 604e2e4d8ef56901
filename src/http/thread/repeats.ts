import type { Socket } from 'node:net'

/** The number in a request that its reply echoes. */
export interface Echo {
  /** Where it begins in the request: bytes from its start, or, if negative, from its end. */
  readonly at: number
  /** Its digits; 0 if nothing is echoed. */
  readonly length: number
  /** Where it begins in the body of the reply. */
  readonly replyAt: number
}

/** How long a reply may be repeated. */
export interface Validity {
  /** As long as the shared number is this one. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Replies of the node that the thread may send again by itself, to the same request from its first header to its last byte. */
export interface Repeats {
  /** Keeps a reply under a number. */
  keep(number: number, request: Buffer, reply: Sent, echo: Echo, validity: Validity): void
  /** Replaces the reply of that number, which was valid for the last version. */
  renew(number: number, reply: string, validity: Validity): void
  /** Sends the reply to a request; false if it is not kept, or no longer valid. `echo` is where a number is expected. */
  answer(request: Buffer, echo: Echo, socket: Pick<Socket, 'cork' | 'uncork' | 'write'>): boolean
  /** The numbers of the replies that were sent since the last call, each followed by how often. */
  takeCounts(): number[]
}

/** What was sent to a client. */
export interface Sent {
  readonly content: string | Uint8Array
  readonly encoding: BufferEncoding
}

/** A reply in two parts. */
interface Split {
  /** Head and body up to the number. */
  readonly before: string
  /** What comes behind it. */
  readonly after: string | Uint8Array
  readonly encoding: BufferEncoding
}

interface Kept extends Split {
  readonly number: number
  readonly key: string
  readonly size: number
  readonly echo: Echo
  readonly digits: string
  readonly until: number
  /** How often it was sent since this was last asked for. */
  count: number
}

/** The replies of one version. */
interface Generation {
  readonly version: number
  readonly byKey: Map<string, Kept>
  readonly byNumber: Map<number, Kept>
  size: number
}

/** Maximum size of all requests with their replies, and of one. */
const maxSize = 8 << 20
export const maxRepeated = 256 << 10
const headEnding = '\r\n\r\n'
const number = /^(?:0|[1-9][0-9]*)$/

/** The request without its number, for which a byte stands that no plain request contains, and the number. */
function cut(request: Buffer, { at, length }: Echo): [key: string, digits: string] {
  const from = at < 0 ? request.length + at : at
  if (length === 0) return [request.toString('latin1'), '']
  const before = request.toString('latin1', 0, from)
  return [`${before}\0${request.toString('latin1', from + length)}`, request.toString('latin1', from, from + length)]
}

/** The head of a reply, and the beginning of its body. */
function startOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, 1024)).toString('latin1')
}

/** Undefined if the reply does not echo the number. */
function split({ content, encoding }: Sent, { length, replyAt }: Echo, digits: string): Split | undefined {
  const text = typeof content === 'string' ? content : startOf(content)
  const from = text.indexOf(headEnding) + headEnding.length + replyAt
  const end = from + length
  if (text.slice(from, end) !== digits) return undefined
  const after = typeof content === 'string' ? content.slice(end) : Buffer.from(content.subarray(end))
  return { before: text.slice(0, from), after, encoding }
}

function openGeneration(version: number): Generation {
  return { version, byKey: new Map(), byNumber: new Map(), size: 0 }
}

/** `shared` is shared with the node, which changes it before anybody can know of what makes the replies outdated. */
export function createRepeats(shared: Int32Array, now: () => number = Date.now): Repeats {
  let last = openGeneration(0)
  let current = openGeneration(0)
  const used: Kept[] = []

  function put(kept: Kept, version: number): void {
    advance(version)
    if (current.size + kept.size > maxSize) current = openGeneration(version)
    current.size += kept.size
    current.byKey.set(kept.key, kept)
    current.byNumber.set(kept.number, kept)
  }

  function advance(version: number): void {
    if (version === current.version) return
    last = current
    current = openGeneration(version)
  }

  return {
    keep(number, request, reply, echo, { version, until }) {
      const size = request.length + reply.content.length
      const [key, digits] = cut(request, echo)
      const parts = size <= maxRepeated ? split(reply, echo, digits) : undefined
      if (!parts || (version === current.version && current.byKey.has(key))) return
      put({ ...parts, number, key, size, echo, digits, until, count: 0 }, version)
    },
    renew(number, reply, { version, until }) {
      advance(version)
      const old = last.byNumber.get(number)
      const parts = old && split({ content: reply, encoding: 'latin1' }, old.echo, old.digits)
      if (parts) put({ ...old, ...parts, until, count: 0 }, version)
    },
    answer(request, echo, socket) {
      if (current.byKey.size === 0 || Atomics.load(shared, 0) !== current.version) return false
      const [key, digits] = cut(request, echo)
      const kept = current.byKey.get(key)
      if (!kept || now() >= kept.until || (echo.length > 0 && !number.test(digits))) return false
      if (kept.count++ === 0) used.push(kept)
      const { before, after, encoding } = kept
      if (typeof after === 'string') {
        socket.write(before + digits + after, encoding)
        return true
      }
      socket.cork()
      socket.write(before + digits, 'latin1')
      socket.write(after)
      socket.uncork()
      return true
    },
    takeCounts() {
      const counts: number[] = []
      for (const kept of used) {
        counts.push(kept.number, kept.count)
        kept.count = 0
      }
      used.length = 0
      return counts
    },
  }
}
