import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { LocalKey } from '../keys/nodeIdentity.ts'
import type { Enode } from '../net/enode.ts'
import { decodeStatus, type Status } from '../net/eth/status.ts'
import { createConnection } from '../net/rlpx/createConnection.ts'
import { systemClock } from '../system/clock.ts'
import { createSilentLog } from '../system/silentLog.ts'

/** What a node said when it was called. */
export type PeerAnswer =
  /** It does not answer, or is another node than expected. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** It answers, but ends the connection before it says which chain it has. */
  | { readonly kind: 'refused'; readonly reason: string; readonly client: string | undefined }
  | { readonly kind: 'status'; readonly client: string; readonly status: Status }

/** Milliseconds that an answer may take. */
const patience = 5000
const capabilities = [66, 67, 68].map((version) => ({ name: 'eth', version }))
const statusCode = 0x10
const log = createSilentLog()

/** Calls a node as a peer does and listens to its Status. */
export function askPeer(enode: Enode, key: LocalKey): Promise<PeerAnswer> {
  return new Promise((resolve) => {
    let client: string | undefined
    let socketError: string | undefined
    const socket = connect({ host: enode.ip, port: enode.tcpPort, noDelay: true })
    const timer = setTimeout(() => end({ kind: 'silent', reason: 'no answer' }), patience)
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
          if (code === statusCode) end({ kind: 'status', client: hello.clientId, status: decodeStatus(payload) })
        })
      },
      onClose: (reason) =>
        end(
          client === undefined
            ? { kind: 'silent', reason: socketError ?? reason }
            : { kind: 'refused', reason, client },
        ),
    })

    function end(answer: PeerAnswer): void {
      clearTimeout(timer)
      resolve(answer)
      connection.disconnect('requested')
      socket.destroy()
    }
  })
}
