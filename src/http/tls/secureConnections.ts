import type { Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Tls } from './createTls.ts'

/** The maximum number of handshakes under way, above which the oldest one is ended, and the milliseconds that one may take. */
export const handshakeLimits = { max: 128, timeout: 10_000 }

/** Tells connections apart: the connection before and after the handshake are two objects of Node. */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

/**
 * Puts TLS in front of a server: all that listens for its connections gets those whose handshake is finished and whose client is
 * allowed. Returns a function that ends the handshakes that are under way.
 */
export function secureConnections(server: Server, tls: Tls, limits = handshakeLimits): () => void {
  const { log } = tls
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  const handshakes = new Map<string, Socket>()
  let context = tls.context()
  const engine = createServer({ ...tls.serverOptions, ...context, handshakeTimeout: limits.timeout })

  function renew(): void {
    const current = tls.context()
    if (current === context) return
    context = current
    engine.setSecureContext(context)
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    for (const [other, oldest] of handshakes) {
      if (handshakes.size < limits.max) break
      handshakes.delete(other)
      oldest.destroy()
    }
    handshakes.set(key, socket)
    socket.once('close', () => {
      if (handshakes.get(key) === socket) handshakes.delete(key)
    })
    // A client that closes its half before the end of the handshake has left.
    socket.allowHalfOpen = false
    renew()
    engine.emit('connection', socket)
  })
  engine.on('secureConnection', (socket) => {
    handshakes.delete(keyOf(socket))
    if (!tls.allows(socket)) return refuse(socket)
    for (const listener of listeners) listener.call(server, socket)
  })
  engine.on('tlsClientError', ({ message }, socket) => {
    log.debug({ client: socket.remoteAddress, problem: message }, 'TLS handshake of {client} failed: {problem}')
    socket.destroy()
  })

  function refuse(socket: TLSSocket): void {
    const { subject, fingerprint256 } = socket.getPeerCertificate()
    const fields = { client: socket.remoteAddress, name: subject?.CN, fingerprint: fingerprint256 }
    log.debug(fields, 'client certificate of {client} refused: {name} {fingerprint}')
    socket.destroy()
  }

  return () => {
    for (const socket of handshakes.values()) socket.destroy()
  }
}
