import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createHostCheck } from './hostAllowlist.ts'
import { countHosts } from './httpServer.ts'

/** Milliseconds that a client which was refused has to read why. */
const linger = 1000

/** Whether a request may open a WebSocket, by its Host and, if it comes from a browser, by its Origin. */
export function createUpgradeCheck(
  hostAllowlist: readonly string[],
  isOriginAllowed: (origin: string, request: IncomingMessage) => boolean,
): (request: IncomingMessage) => boolean {
  const isHostAllowed = createHostCheck(hostAllowlist)
  return (request) => {
    const { host, origin } = request.headers
    return countHosts(request.rawHeaders) <= 1 && isHostAllowed(host) && (!origin || isOriginAllowed(origin, request))
  }
}

/** Refuses a request for a WebSocket. */
export function refuseUpgrade(socket: Duplex, status = '403 Forbidden'): void {
  const text = status.slice(4)
  const head = ['Content-Type: text/plain', `Content-Length: ${text.length}`, 'Connection: close']
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy()).resume()
  socket.write(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${text}`)
  // The client closes the connection when it has read that; another one is closed.
  setTimeout(() => socket.destroy(), linger).unref()
}
