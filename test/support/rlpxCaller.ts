import type { Enode } from '../../src/net/enode.ts'
import { type EthMessage, ethCodes } from '../../src/net/eth/messages.ts'
import { decodeStatus, encodeStatus, type Status } from '../../src/net/eth/status.ts'
import type { DisconnectReason } from '../../src/net/protocol.ts'
import { decodeDisconnect } from '../../src/net/rlpx/disconnect.ts'
import { encodeHello } from '../../src/net/rlpx/hello.ts'
import { snappyCompress, snappyDecompress } from '../../src/net/rlpx/snappy.ts'
import { curve } from '../../src/primitives/secp256k1.ts'
import { openWire } from './rlpxWire.ts'

/** What a caller got on its connection. */
export interface Received {
  /** Undefined for codes outside eth. */
  readonly message: EthMessage | undefined
  readonly payload: Uint8Array
}

/** A stranger on a real socket that keeps to RLPx, and beyond it does whatever it is told to. */
export interface RlpxCaller {
  /** Resolves when the node's status is there. */
  readonly status: Promise<Status>
  /** Why the node ended the connection; undefined when it went without a word. */
  readonly ended: Promise<DisconnectReason | undefined>
  /** Answers the status with the node's own, in which some fields are changed. */
  greet(change?: Partial<Status>): Promise<void>
  send(message: EthMessage, payload: Uint8Array): void
  /** Bytes outside any frame. */
  write(bytes: Uint8Array): void
  onMessage(listener: (received: Received) => void): void
  pause(): void
  resume(): void
  close(): void
}

/** Codes below belong to p2p itself. */
const firstCode = 0x10
const disconnectCode = 1
const names = new Map(Object.entries(ethCodes).map(([name, code]) => [firstCode + code, name as EthMessage]))

/** Calls a node, shakes hands and says Hello. */
export function callNode(key: Uint8Array, enode: Enode): RlpxCaller {
  const listeners = new Set<(received: Received) => void>()
  let saidHello = false
  let reason: DisconnectReason | undefined
  let onStatus: (status: Status) => void = () => {}
  const status = new Promise<Status>((resolve) => {
    onStatus = resolve
  })

  const wire = openWire(key, enode, {
    onReady(wire) {
      const capabilities = [{ name: 'eth', version: 68 }]
      const hello = { version: 5, clientId: 'stranger', capabilities, listenPort: 0, id: curve.publicKey(key) }
      wire.send(0, encodeHello(hello))
    },
    onFrame({ code, payload }) {
      if (code === disconnectCode) reason = decodeDisconnect(saidHello ? snappyDecompress(payload, 1000) : payload)
      else if (!saidHello) saidHello = true
      else {
        const received = { message: names.get(code), payload: snappyDecompress(payload, 0xffffff) }
        if (received.message === 'status') onStatus(decodeStatus(received.payload))
        for (const listener of listeners) listener(received)
      }
    },
  })

  function send(message: EthMessage, payload: Uint8Array): void {
    wire.send(firstCode + ethCodes[message], snappyCompress(payload))
  }

  return {
    status,
    ended: wire.closed.then(() => reason),
    async greet(change = {}) {
      send('status', encodeStatus({ ...(await status), ...change }))
    },
    send,
    write: wire.write,
    onMessage: (listener) => void listeners.add(listener),
    pause: wire.pause,
    resume: wire.resume,
    close: wire.close,
  }
}
