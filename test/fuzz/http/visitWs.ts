import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Random } from '../random.ts'
import type { HttpWorld } from './httpWorld.ts'
import type { Question } from './questions.ts'
import { blockEvery, isRight, type Sent } from './visit.ts'

/** Sends a text, often in several frames, while the client reads now and then. */
async function send(random: Random, client: WebSocket, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const largest = random.percent(70) ? bytes.length : random.pick([7, 300, 3000])
  let at = 0
  do {
    const end = at + random.between(1, Math.max(1, largest))
    client.send(bytes.subarray(at, end), { binary: false, fin: end >= bytes.length })
    at = end
    if (random.percent(5)) client.pause()
    else if (random.percent(30)) client.resume()
    if (random.percent(20)) await (random.percent(10) ? sleep(random.below(20)) : setImmediate())
  } while (at < bytes.length)
}

/**
 * One client that sends requests over a WebSocket of its own without waiting for answers, and does not always read. Each answer is
 * that of the first request which could have had it: the node may answer a short one before a long one. Returns what is wrong.
 */
export async function visitWs(
  world: HttpWorld,
  random: Random,
  next: () => Question,
  count: number,
): Promise<string[]> {
  const client = new WebSocket(`${world.isSecure ? 'wss' : 'ws'}://127.0.0.1:${world.port}`, {
    rejectUnauthorized: false,
    maxPayload: 0,
  })
  const faults: string[] = []
  const waiting: Sent[] = []
  const opened = new Promise((resolve) => client.once('open', resolve))
  client.on('error', ({ message }) => faults.push(message))
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  let replies = 0
  let checks: Promise<void> = Promise.resolve()

  async function check(body: string): Promise<void> {
    for (const [i, sent] of waiting.entries())
      if (await isRight(world, sent, { status: 200, body }, true)) {
        waiting.splice(i, 1)
        return
      }
    faults.push(`nobody asked for ${body.slice(0, 300)}; ${waiting.length} wait`)
  }

  client.on('message', (data) => {
    if (++replies % blockEvery === 0) world.makeBlock()
    checks = checks.then(() => check(String(data)))
  })
  await Promise.race([opened, closed])
  let expected = 0
  for (let left = count; left > 0; left--) {
    const question = next()
    const { body } = await world.answer(question('0x0'))
    // Notifications are not answered.
    if (body !== '') {
      expected++
      waiting.push({ question, height: world.knownHeight() })
    }
    if (client.readyState !== WebSocket.OPEN) break
    await send(random, client, question('latest'))
  }
  if (random.percent(50)) await sleep(random.below(50))
  client.resume()
  while (replies < expected && client.readyState === WebSocket.OPEN) await setImmediate()
  client.terminate()
  await closed
  await checks
  if (replies !== expected) faults.push(`${replies} replies to ${expected} requests`)
  return faults
}
