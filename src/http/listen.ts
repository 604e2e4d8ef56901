import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServerAddress {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
}

/** A server that is up. */
export interface Listening extends ServerAddress {
  /** Takes no more connections and ends those that are open: idle ones at once, busy ones after `grace` milliseconds. */
  close(grace?: number): Promise<void>
}

/** Milliseconds that busy connections have to end by themselves. */
export const defaultGrace = 1000

/** Waits until the server listens; a port that is taken is an error. */
export function listen(server: Server, { host, port }: ServerAddress): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({
        host,
        port: (server.address() as AddressInfo).port,
        close: (grace = defaultGrace) => close(server, grace),
      })
    })
  })
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
