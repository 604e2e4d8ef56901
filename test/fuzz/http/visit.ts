import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { Random } from '../random.ts'
import { createReplyReader, type HttpReply } from './httpReplies.ts'
import type { HttpWorld } from './httpWorld.ts'
import type { Question } from './questions.ts'

/** A request that was sent, and a height that its answer knows. */
export interface Sent {
  readonly question: Question
  readonly height: number
}

/** Replies to one client after which a block is made. */
export const blockEvery = 20

const heads = ['', 'Content-Type: application/json\r\n', 'Connection: keep-alive\r\n', 'X-Other: 1\r\n']

/** The bytes of a request: mostly such as all clients send, some that Node's HTTP server has to read. */
function bytesOf(random: Random, body: string): Buffer {
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\n${random.pick(heads)}`
  if (random.percent(96)) return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const chunk = body === '' ? '' : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
  return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`)
}

/** Writes bytes in pieces that have nothing to do with requests, while the client reads now and then. */
async function write(random: Random, socket: Socket, bytes: Buffer): Promise<void> {
  const largest = random.pick([7, 300, 3000, 100_000])
  for (let at = 0; at < bytes.length; ) {
    const end = at + random.between(1, largest)
    socket.write(bytes.subarray(at, end))
    at = end
    if (random.percent(10)) socket.pause()
    else if (random.percent(30)) socket.resume()
    if (random.percent(30)) await (random.percent(10) ? sleep(random.below(20)) : setImmediate())
    if (socket.destroyed) return
  }
}

/** The reply that a request should have had: about the block that was the latest at some time between request and reply. */
export async function isRight(
  { answer, height, count }: HttpWorld,
  { question, height: from }: Sent,
  reply: HttpReply,
  anyStatus = false,
): Promise<boolean> {
  for (let block = height(); block >= from; block--) {
    const { status, body } = await answer(question(`0x${block.toString(16)}`))
    if ((anyStatus || status === reply.status) && body === reply.body) {
      count(body.split('"jsonrpc"').length - 1)
      return true
    }
  }
  return false
}

/**
 * One client that pipelines requests over a connection of its own, in pieces, and does not always read. Returns what is wrong with
 * the replies.
 */
export async function visit(world: HttpWorld, random: Random, next: () => Question, count: number): Promise<string[]> {
  const { port, isSecure } = world
  const address = { port, host: '127.0.0.1' }
  const socket = isSecure
    ? connectTls({ ...address, rejectUnauthorized: false })
    : connect({ ...address, noDelay: true })
  const waiting: Sent[] = []
  const faults: string[] = []
  const checks: Promise<void>[] = []
  let replies = 0
  const read = createReplyReader((reply) => {
    const sent = waiting.shift()
    if (++replies % blockEvery === 0) world.makeBlock()
    checks.push(check(sent, reply))
  })

  async function check(sent: Sent | undefined, reply: HttpReply): Promise<void> {
    if (sent && (await isRight(world, sent, reply))) return
    faults.push(`${sent?.question('latest').slice(0, 300)} was answered ${reply.status} ${reply.body.slice(0, 300)}`)
  }

  socket.on('error', ({ message }) => faults.push(message))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      read(bytes)
      if (replies === count) resolve()
    })
  })
  for (let left = count; left > 0; ) {
    const some = Math.min(left, random.between(1, 6))
    left -= some
    const requests = Array.from({ length: some }, () => {
      const question = next()
      waiting.push({ question, height: world.knownHeight() })
      return bytesOf(random, question('latest'))
    })
    await write(random, socket, Buffer.concat(requests))
  }
  // Some have nothing more to say, and say so.
  const ends = random.percent(30)
  if (ends) socket.end()
  if (random.percent(50)) await sleep(random.below(50))
  socket.resume()
  await Promise.race([answered, closed])
  socket.destroy()
  await closed
  await Promise.all(checks)
  // Node's HTTP server drops requests that it has not answered when a client ends its half; those before have their own answers.
  if (ends ? replies > count : replies !== count) faults.push(`${replies} replies to ${count} requests`)
  return faults
}
