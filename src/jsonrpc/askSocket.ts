import { createConnection } from 'node:net'

/** Sends a request over a Unix socket, as geth's IPC, and returns the answer: a line of JSON. */
export function askSocket(path: string, body: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, signal })
    const chunks: string[] = []
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.on('data', (chunk: string) => {
      chunks.push(chunk)
      if (!chunk.endsWith('\n')) return
      socket.destroy()
      resolve(chunks.join(''))
    })
    socket.write(`${body}\n`)
  })
}
