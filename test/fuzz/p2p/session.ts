import { encodeHello } from '../../../src/net/rlpx/hello.ts'
import { snappyCompress, snappyDecompress } from '../../../src/net/rlpx/snappy.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { openWire } from '../../support/rlpxWire.ts'
import type { Target } from './target.ts'

/** A protocol of a session. */
export interface Capability {
  readonly name: string
  readonly version: number
  readonly length: number
}

/** A connection over which anything can be sent. */
export interface Session {
  /** Compressed as it should be. */
  send(protocol: string, code: number, payload: Uint8Array): void
  /** A whole message as it is. */
  sendRaw(code: number, payload: Uint8Array): void
  write(bytes: Uint8Array): void
  /** Resolves with the first message of eth, which is the status; undefined when the connection ended before. */
  readonly status: Promise<Uint8Array | undefined>
  readonly closed: Promise<void>
  close(): void
}

export interface SessionOptions {
  readonly key: Uint8Array
  readonly capabilities: readonly Capability[]
  /** What is said instead of Hello. */
  readonly hello?: Uint8Array
  onMessage?(protocol: string, code: number, payload: Uint8Array): void
}

const firstCode = 0x10
const helloCode = 0
const maxMessage = 0xffffff

/** The right Hello of a stranger. */
export function helloOf(key: Uint8Array, capabilities: readonly Capability[]): Uint8Array {
  return encodeHello({ version: 5, clientId: 'stranger', capabilities, listenPort: 0, id: curve.publicKey(key) })
}

/** After a Hello of an old version messages are not compressed: those are left aside. */
function decompressed(payload: Uint8Array): Uint8Array | undefined {
  try {
    return snappyDecompress(payload, maxMessage)
  } catch {
    return undefined
  }
}

/** Calls the target and says Hello; all these protocols must be ones that it speaks. */
export function openSession({ enode }: Pick<Target, 'enode'>, options: SessionOptions): Session {
  const { key, capabilities, hello = helloOf(key, capabilities), onMessage } = options
  // Codes are given out in the plain order of names.
  const ordered = capabilities.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const offsets = ordered.map((_, i) => ordered.slice(0, i).reduce((sum, { length }) => sum + length, firstCode))
  let saidHello = false
  let onStatus: (payload: Uint8Array) => void = () => {}
  const first = new Promise<Uint8Array>((resolve) => {
    onStatus = resolve
  })
  const wire = openWire(key, enode, {
    onReady: (wire) => wire.send(helloCode, hello),
    onFrame({ code, payload }) {
      if (code < firstCode) {
        saidHello = true
        return
      }
      const at = offsets.findLastIndex((offset) => code >= offset)
      if (!saidHello || at < 0) return
      const { name } = ordered[at]!
      const message = decompressed(payload)
      if (!message) return
      if (name === 'eth' && code === offsets[at]) onStatus(message)
      onMessage?.(name, code - offsets[at]!, message)
    },
  })
  return {
    send: (protocol, code, payload) =>
      wire.send((offsets[ordered.findIndex(({ name }) => name === protocol)]! + code) & 0x7f, snappyCompress(payload)),
    sendRaw: wire.send,
    write: wire.write,
    status: Promise.race([first, wire.closed.then(() => undefined)]),
    closed: wire.closed,
    close: wire.close,
  }
}
