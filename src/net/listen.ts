import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { NetError } from './fault.ts'

/** The TCP and UDP sockets for peers, on the same port. */
export interface Listener {
  readonly port: number
  send(bytes: Uint8Array, port: number, ip: string): void
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  /** If false, no UDP socket is opened. */
  readonly discovery: boolean
  onSocket(socket: Socket): void
  onDatagram(bytes: Uint8Array, ip: string, port: number): void
}

/** Attempts to find a port that is free for TCP and UDP alike. */
const attempts = 10

/** Opens the TCP server and the UDP socket; throws if the port is in use. */
export async function listenForPeers(options: ListenOptions): Promise<Listener> {
  for (let attempt = 1; ; attempt++) {
    const server = await listenTcp(options)
    const { port } = server.address() as AddressInfo
    try {
      const udp = options.discovery ? await listenUdp(options, port) : undefined
      return {
        port,
        send: (bytes, port, ip) => udp?.send(bytes, port, ip, () => undefined),
        close: async () => {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
          if (udp) await new Promise<void>((resolve) => udp.close(resolve))
          await closed
        },
      }
    } catch (error) {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      if (options.port !== 0 || attempt === attempts) throw error
    }
  }
}

function listenTcp({ host, port, onSocket }: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, onSocket)
    const fail = (error: NodeJS.ErrnoException) => reject(faultOf(error, host, port, 'TCP'))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      // If file descriptors run out, only this connection fails; the server keeps running.
      server.on('error', () => undefined)
      resolve(server)
    })
  })
}

function listenUdp({ host, onDatagram }: ListenOptions, port: number): Promise<DatagramSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    const fail = (error: NodeJS.ErrnoException) => {
      socket.close()
      reject(faultOf(error, host, port, 'UDP'))
    }
    socket.once('error', fail)
    socket.on('message', (bytes, from) => onDatagram(bytes, from.address.replace(/^::ffff:/i, ''), from.port))
    socket.bind(port, host, () => {
      socket.off('error', fail)
      // Errors of single datagrams are reported here; timeouts handle missing responses.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

function faultOf(error: NodeJS.ErrnoException, host: string, port: number, transport: 'TCP' | 'UDP'): NetError {
  if (error.code === 'EADDRINUSE') return new NetError({ code: 'PORT_IN_USE', port, transport }, error)
  return new NetError({ code: 'CANNOT_LISTEN', host, port, reason: error.code ?? error.message }, error)
}
