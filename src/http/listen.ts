import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tls } from './tls/createTls.ts'
import { secureConnections } from './tls/secureConnections.ts'

export interface ServerAddress {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
}

/** Where a server listens, and how. */
export interface ListenOptions extends ServerAddress {
  /** Speaks TLS, and only that. */
  readonly tls?: Tls | undefined
}

/** A server that listens. */
export interface Listening extends ServerAddress {
  /** Stops listening and closes the connections: idle ones at once, busy ones after `grace` milliseconds. */
  close(grace?: number): Promise<void>
}

/** Milliseconds that busy connections have to finish. */
export const defaultGrace = 1000

/** Resolves when the server listens; rejects if it cannot, such as if the port is in use. */
export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host, port, tls } = options
  const endHandshakes = tls && secureConnections(server, tls)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close(grace = defaultGrace) {
      endHandshakes?.()
      return close(server, grace)
    },
  }
}

function close(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
