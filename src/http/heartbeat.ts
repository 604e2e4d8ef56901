import type { WebSocket } from 'ws'

/** Milliseconds between pings. */
const pause = 30_000

/** Closes WebSockets whose other end is gone, which TCP does not notice for hours. */
export interface Heartbeat {
  watch(socket: WebSocket): void
  stop(): void
}

/** Creates what pings the sockets that it watches, and closes those that have not answered the last ping. */
export function createHeartbeat(): Heartbeat {
  const watched = new Set<WebSocket>()
  const silent = new Set<WebSocket>()

  function noteAlive(this: WebSocket): void {
    silent.delete(this)
  }
  function forget(this: WebSocket): void {
    watched.delete(this)
    silent.delete(this)
  }
  const timer = setInterval(() => {
    for (const socket of watched)
      if (silent.has(socket)) socket.terminate()
      else {
        silent.add(socket)
        socket.ping()
      }
  }, pause)
  timer.unref()
  return {
    watch(socket) {
      watched.add(socket)
      socket.on('pong', noteAlive).on('message', noteAlive).on('close', forget)
    },
    stop: () => clearInterval(timer),
  }
}
