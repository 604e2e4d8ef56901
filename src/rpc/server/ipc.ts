import { createServer, type Socket } from 'node:net'
import { defaultGrace } from '../../http/listen.ts'
import { faultReply } from '../protocol/reply.ts'
import { createConnectionAnswers } from './connectionAnswers.ts'
import { createIpcOutbox } from './ipcOutbox.ts'
import { listenAt } from './ipcSocket.ts'
import { createJsonStream, JsonStreamError } from './jsonStream.ts'
import type { WsPorts } from './ws.ts'

export interface IpcOptions {
  readonly path: string
  /** Maximum size of a request in bytes. */
  readonly maxMessage: number
  /** Milliseconds that a call may take. */
  readonly timeout: number
}

/** What answers the connections: as over WebSocket, but whoever can open the socket may do everything. */
export type IpcPorts = Pick<WsPorts, 'connect' | 'timeoutReply'>

/** A socket that is served. */
export interface IpcServer {
  /** Removes the socket and closes the connections: those that wait for answers after `grace` milliseconds. */
  close(grace?: number): Promise<void>
}

/** Serves JSON-RPC and subscriptions over a Unix socket, as geth does: a stream of JSON values in both directions. */
export async function startIpc(options: IpcOptions, ports: IpcPorts): Promise<IpcServer> {
  const clients = new Map<Socket, () => boolean>()
  const server = createServer((socket) => {
    clients.set(socket, serve(socket, options, ports))
    socket.once('close', () => clients.delete(socket))
  })
  const remove = await listenAt(server, options.path)
  return {
    close(grace = defaultGrace) {
      remove()
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const socket of clients.keys()) socket.destroy()
        }, grace)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
        for (const [socket, isBusy] of clients) if (!isBusy()) socket.destroy()
      })
    },
  }
}

/** Serves one connection until it closes; returns what says whether it waits for an answer. */
function serve(socket: Socket, { maxMessage, timeout }: IpcOptions, ports: IpcPorts): () => boolean {
  const outbox = createIpcOutbox(socket, () => answers.onDrained())
  const answers = createConnectionAnswers(
    { isPaused: () => socket.isPaused(), pause: () => socket.pause(), resume: () => socket.resume() },
    outbox,
    { timeout, timeoutReply: ports.timeoutReply },
  )
  const isGone = () => socket.destroyed
  const connection = ports.connect(outbox.notify, undefined, { address: undefined, isGone })
  const stream = createJsonStream(maxMessage)

  function cut(chunk: Buffer): readonly string[] {
    try {
      return stream.push(chunk)
    } catch (error) {
      if (!(error instanceof JsonStreamError)) throw error
      // Where the next request begins cannot be told.
      socket.removeAllListeners('data')
      answers.send(faultReply('PARSE_ERROR'))
      socket.end()
      return []
    }
  }

  socket.on('data', (chunk) => {
    for (const text of cut(chunk)) answers.send(connection.dispatch(text))
  })
  socket.on('close', () => connection.close())
  // Errors of the connection close it.
  socket.on('error', () => {})
  return answers.isBusy
}
