import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { LocalKey } from '../keys/nodeIdentity.ts'
import type { Enode } from '../net/enode.ts'
import { ethCodes } from '../net/eth/messages.ts'
import { encodeQuery, headerQueryToRlp } from '../net/eth/queries.ts'
import { decodeSparse, rlpParts, rlpPartsOf } from '../net/eth/rlpParts.ts'
import { decodeStatus, encodeStatus, type Status } from '../net/eth/status.ts'
import { createConnection } from '../net/rlpx/createConnection.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { systemClock } from '../system/clock.ts'
import { createSilentLog } from '../system/silentLog.ts'
import { type Header, headerFromRlp } from '../types/header.ts'

/** What a node said when it was called. */
export type PeerAnswer =
  /** It does not answer, or is another node than expected. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** It answers, but ends the connection before it says which chain it has. */
  | { readonly kind: 'refused'; readonly reason: string; readonly client: string | undefined }
  | { readonly kind: 'status'; readonly client: string; readonly status: Status }

/** A node that was called. */
export interface PeerCall {
  readonly answer: PeerAnswer
  /** The header of a block, on a chain of which the node said that it has it; undefined if it gives none. */
  header(block: Hash32 | bigint): Promise<Header | undefined>
  close(): void
}

/** Milliseconds that an answer may take. */
const patience = 5000
const capabilities = [66, 67, 68].map((version) => ({ name: 'eth', version }))
const base = 0x10
const log = createSilentLog()

/** Calls a node as a peer does and listens to its Status; the call has to be closed. */
export function callPeer(enode: Enode, key: LocalKey): Promise<PeerCall> {
  return new Promise((resolve) => {
    let client: string | undefined
    let socketError: string | undefined
    let onHeader: (header: Header | undefined) => void = () => {}
    let greets = true
    const socket = connect({ host: enode.ip, port: enode.tcpPort, noDelay: true })
    const timer = setTimeout(() => settle({ kind: 'silent', reason: 'no answer' }), patience)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      socketError = error.code ?? error.message
    })
    const connection = createConnection(socket, {
      key,
      hello: { version: 5, clientId: 'quoin-doctor', capabilities, listenPort: 0, id: key.publicKey },
      expectedId: enode.id,
      clock: systemClock,
      random: (length) => new Uint8Array(randomBytes(length)),
      log,
      onHello(hello) {
        client = hello.clientId
        connection.accept((code, payload) => {
          if (code === base + ethCodes.status)
            settle({ kind: 'status', client: hello.clientId, status: decodeStatus(payload) })
          else if (code === base + ethCodes.blockHeaders) onHeader(readHeader(payload))
        })
      },
      onClose(reason) {
        onHeader(undefined)
        settle(
          client === undefined
            ? { kind: 'silent', reason: socketError ?? reason }
            : { kind: 'refused', reason, client },
        )
      },
    })

    function settle(answer: PeerAnswer): void {
      clearTimeout(timer)
      if (answer.kind !== 'status') close()
      resolve({ answer, header: (block) => (answer.kind === 'status' ? ask(answer.status, block) : none()), close })
    }

    /** Requests are for peers: its own Status, sent back, makes this one of them. */
    function ask(status: Status, block: Hash32 | bigint): Promise<Header | undefined> {
      if (greets) connection.send(base + ethCodes.status, encodeStatus(status))
      greets = false
      const query = encodeQuery(1, headerQueryToRlp({ start: block, count: 1, skip: 0, reverse: false }))
      if (!connection.send(base + ethCodes.getBlockHeaders, query)) return none()
      return new Promise((answered) => {
        const late = setTimeout(() => onHeader(undefined), patience)
        onHeader = (header) => {
          clearTimeout(late)
          onHeader = () => {}
          answered(header)
        }
      })
    }

    function close(): void {
      connection.disconnect('requested')
      socket.destroy()
    }
  })
}

const none = async (): Promise<undefined> => undefined

function readHeader(payload: Uint8Array): Header | undefined {
  const [, list] = rlpPartsOf(payload, 2)
  const [first] = rlpParts(list!, 1)
  return first && headerFromRlp(decodeSparse(first))
}
