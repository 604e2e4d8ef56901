import type { Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Tls } from './createTls.ts'

/** The maximum number of handshakes under way, above which the oldest one is ended, and the milliseconds that one may take. */
export const handshakeLimits = { max: 128, timeout: 10_000 }

/**
 * To be called when Node's HTTP server has got a connection: with a listener it reads the stream, and not what lies below it, which goes on
 * to deliver what is decrypted when the parser is paused; the connection would end with a parse error then.
 */
export function readAsStream(socket: Socket): void {
  if ('encrypted' in socket) socket.on('data', () => {})
}

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
    const key = keyOf(socket)
    const below = handshakes.get(key)
    handshakes.delete(key)
    // From now on one that has said all may wait for its answers.
    socket.allowHalfOpen = true
    if (below) below.allowHalfOpen = true
    if (!tls.allows(socket)) return refuse(socket)
    for (const listener of listeners) listener.call(server, socket)
    readAsStream(socket)
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
