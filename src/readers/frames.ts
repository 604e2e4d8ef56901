import { deserialize, serialize } from 'node:v8'
import type { RequestKind } from './readers.ts'

// A frame on the pipe between the node and a reader: length of what follows, number of the request, a kind, two numbers whose
// meaning depends on the kind, data. Integers are unsigned and little-endian.

/** Bytes before the data. */
const headLength = 4 + 4 + 1 + 4 + 4

/** What the node sends: the settings once, then requests. */
export type ToReader =
  | { readonly kind: 'settings'; readonly settings: unknown }
  | {
      readonly kind: RequestKind
      readonly id: number
      /** Number of heads that the node has announced. */
      readonly heads: number
      readonly context: unknown
      readonly text: string
    }

/** What a reader sends; `cost` is the time of the CPU that a request took, in microseconds. */
export type FromReader =
  /** It has opened the chain. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'reply'
      readonly id: number
      readonly status: number
      readonly cost: number
      readonly text: string
    }
  /** The reply is in a file, whose path this is, because it is long. */
  | {
      readonly kind: 'file'
      readonly id: number
      readonly status: number
      readonly cost: number
      readonly text: string
    }
  /** An error that no client caused, of a method. */
  | { readonly kind: 'error'; readonly method: string; readonly text: string }
  /** A text that a contract printed. */
  | { readonly kind: 'printed'; readonly text: string }

const toKinds = ['settings', 'rpc', 'graphql', 'snap', 'compile'] as const
const fromKinds = ['ready', 'reply', 'file', 'error', 'printed'] as const

function frame(kind: number, id: number, numbers: readonly [number, number], data: Uint8Array | string): Buffer {
  const length = typeof data === 'string' ? Buffer.byteLength(data) : data.length
  const bytes = Buffer.allocUnsafe(headLength + length)
  bytes.writeUInt32LE(headLength - 4 + length, 0)
  bytes.writeUInt32LE(id, 4)
  bytes[8] = kind
  bytes.writeUInt32LE(numbers[0], 9)
  bytes.writeUInt32LE(numbers[1], 13)
  if (typeof data !== 'string') bytes.set(data, headLength)
  else bytes.write(data, headLength, length === data.length ? 'latin1' : 'utf8')
  return bytes
}

const none = new Uint8Array()
const noNumbers = [0, 0] as const

export function encodeToReader(message: ToReader): Buffer {
  const kind = toKinds.indexOf(message.kind)
  if (message.kind === 'settings') return frame(kind, 0, noNumbers, serialize(message.settings))
  const context = message.context === undefined ? none : serialize(message.context)
  const data = context.length === 0 ? message.text : Buffer.concat([context, Buffer.from(message.text)])
  return frame(kind, message.id, [message.heads, context.length], data)
}

export function decodeToReader(bytes: Buffer): ToReader {
  const kind = toKinds[bytes[8]!]!
  const data = bytes.subarray(headLength)
  if (kind === 'settings') return { kind, settings: deserialize(data) }
  const contextLength = bytes.readUInt32LE(13)
  return {
    kind,
    id: bytes.readUInt32LE(4),
    heads: bytes.readUInt32LE(9),
    context: contextLength === 0 ? undefined : deserialize(data.subarray(0, contextLength)),
    text: data.toString('utf8', contextLength),
  }
}

export function encodeFromReader(message: FromReader): Buffer {
  const kind = fromKinds.indexOf(message.kind)
  switch (message.kind) {
    case 'ready':
      return frame(kind, 0, noNumbers, none)
    case 'reply':
    case 'file':
      return frame(kind, message.id, [message.status, message.cost], message.text)
    case 'error':
      return frame(kind, 0, noNumbers, JSON.stringify([message.method, message.text]))
    case 'printed':
      return frame(kind, 0, noNumbers, message.text)
  }
}

export function decodeFromReader(bytes: Buffer): FromReader {
  const kind = fromKinds[bytes[8]!]!
  const id = bytes.readUInt32LE(4)
  const status = bytes.readUInt32LE(9)
  const cost = bytes.readUInt32LE(13)
  const text = bytes.toString('utf8', headLength)
  switch (kind) {
    case 'ready':
      return { kind }
    case 'reply':
    case 'file':
      return { kind, id, status, cost, text }
    case 'error': {
      const [method, error] = JSON.parse(text) as [string, string]
      return { kind, method, text: error }
    }
    case 'printed':
      return { kind, text }
  }
}

/** Puts the pieces of a stream together; `onFrame` gets each whole frame. */
export function createFrameReader(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let have = 0
  return (chunk) => {
    pieces.push(chunk)
    have += chunk.length
    const first = pieces[0]!
    // A long frame comes in many pieces, which are joined once.
    if (first.length >= 4 && have < 4 + first.readUInt32LE(0)) return
    let rest = pieces.length === 1 ? chunk : Buffer.concat(pieces)
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32LE(0)
      if (rest.length < end) break
      onFrame(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    pieces = rest.length > 0 ? [rest] : []
    have = rest.length
  }
}
