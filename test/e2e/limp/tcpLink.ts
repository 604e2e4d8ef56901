import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way from whoever connects, and back. */
export type Way = 'forth' | 'back'

/** A TCP connection between two nodes with somebody in the middle: what goes through can be late, held back, or cut. */
export interface TcpLink {
  readonly port: number
  /** Milliseconds that everything takes. */
  delay: number
  /** On these ways nothing arrives, although the connection stays open. */
  readonly held: Set<Way>
  /** Closes what is open, and lets nobody in. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

interface Chunk {
  readonly due: number
  readonly data: Uint8Array
}

/** Milliseconds between looks at a way on which nothing arrives. */
const lookEvery = 50

export async function openTcpLink(to: number): Promise<TcpLink> {
  const sockets = new Set<Socket>()
  const held = new Set<Way>()
  let isCut = false

  function carry(from: Socket, into: Socket, way: Way): void {
    const queue: Chunk[] = []
    let timer: NodeJS.Timeout | undefined
    const pass = () => {
      timer = undefined
      const now = performance.now()
      while (queue.length > 0 && queue[0]!.due <= now && !held.has(way)) into.write(queue.shift()!.data)
      if (queue.length > 0) timer = setTimeout(pass, held.has(way) ? lookEvery : Math.max(1, queue[0]!.due - now))
    }
    from.on('data', (data) => {
      queue.push({ due: performance.now() + link.delay, data })
      if (!timer) pass()
    })
    from.on('close', () => clearTimeout(timer))
  }

  const server = createServer((one) => {
    if (isCut) return void one.destroy()
    const other = connect(to, '127.0.0.1')
    const end = () => {
      for (const socket of [one, other]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of [one, other]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', end)
      socket.on('close', end)
    }
    carry(one, other, 'forth')
    carry(other, one, 'back')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const link: TcpLink = {
    port: (server.address() as AddressInfo).port,
    delay: 0,
    held,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
      held.clear()
      link.delay = 0
    },
    async close() {
      link.cut()
      server.close()
      await once(server, 'close')
    },
  }
  return link
}
