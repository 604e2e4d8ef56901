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

/** How long a reply may be repeated, and what changes in it. */
export interface Validity {
  /** As long as the shared number is this one. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly until: number
  readonly echo: Echo
}

/** Replies of the node that the thread may send again by itself, to the same request from its first header to its last byte. */
export interface Repeats {
  keep(request: Buffer, reply: string | Uint8Array, encoding: BufferEncoding, validity: Validity): void
  /** Sends the reply to a request; false if it is not kept, or no longer valid. `echo` is where a number is expected. */
  answer(request: Buffer, echo: Echo, socket: Pick<Socket, 'cork' | 'uncork' | 'write'>): boolean
}

interface Kept {
  readonly until: number
  /** Head and body up to the number. */
  readonly before: string
  /** What comes behind it. */
  readonly after: string | Uint8Array
  readonly encoding: BufferEncoding
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

/** `version` is shared with the node, which changes it before anybody can know of what makes the replies outdated. */
export function createRepeats(version: Int32Array, now: () => number = Date.now): Repeats {
  const replies = new Map<string, Kept>()
  let of = 0
  let size = 0

  return {
    keep(request, reply, encoding, { version, until, echo }) {
      const more = request.length + reply.length
      if (more > maxRepeated) return
      if (version !== of || size + more > maxSize) {
        replies.clear()
        size = 0
        of = version
      }
      const [key, digits] = cut(request, echo)
      const text = typeof reply === 'string' ? reply : startOf(reply)
      const from = text.indexOf(headEnding) + headEnding.length + echo.replyAt
      if (text.slice(from, from + echo.length) !== digits || replies.has(key)) return
      size += more
      const before = text.slice(0, from)
      const end = from + echo.length
      const after = typeof reply === 'string' ? reply.slice(end) : Buffer.from(reply.subarray(end))
      replies.set(key, { until, before, after, encoding })
    },
    answer(request, echo, socket) {
      if (replies.size === 0 || Atomics.load(version, 0) !== of) return false
      const [key, digits] = cut(request, echo)
      const kept = replies.get(key)
      if (!kept || now() >= kept.until || (echo.length > 0 && !number.test(digits))) return false
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
  }
}
