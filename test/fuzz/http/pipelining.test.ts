import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { sampled, shareOf } from '../../support/wholeRun.ts'
import { visitAll } from './fuzzHttp.ts'
import { openHttpWorld, portKinds } from './httpWorld.ts'
import { openNodeWorld } from './nodeWorld.ts'

const callOf = (method: string, address: string, id: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: [address, 'latest'] })
const post = (body: string) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const balanceOf = (address: string, id: number) => post(callOf('eth_getBalance', address, id))

/** A connection, and the last results that came by it with their ids. */
async function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve) => socket.once('connect', resolve))
  let text = ''
  socket.on('data', (chunk) => (text = (text + chunk).slice(-1000)))
  const results = () => [...text.matchAll(/"id":(\d+),"result":"(\w+)"/g)].map(([, id, result]) => [Number(id), result])
  return { socket, results }
}

test('what a client pipelines behind an answer that it does not read answers nobody else', async () => {
  const world = await openHttpWorld('http')
  const rich = `0x${devAccounts[1].address}`
  const poor = `0x${'00'.repeat(18)}dead`
  const [first, other] = [await dial(world.port), await dial(world.port)]
  for (const id of [11, 12]) {
    first.socket.write(balanceOf(rich, id))
    await expect.poll(() => first.results().at(-1)?.[0]).toBe(id)
  }
  const balance = first.results()[0]![1]
  first.socket.pause()
  const large = Array.from({ length: 500 }, (_, i) => callOf('eth_getCode', world.contract, i))
  first.socket.write(post(`[${large.join(',')}]`))
  await sleep(500)
  // Each in a packet of its own, both of the same length and with the same id.
  for (const address of [rich, poor]) {
    first.socket.write(balanceOf(address, 77))
    await sleep(200)
  }
  first.socket.resume()
  await expect.poll(first.results).toEqual([
    [77, balance],
    [77, '0x0'],
  ])
  for (const id of [30, 31, 32]) {
    other.socket.write(balanceOf(poor, id))
    await expect.poll(() => other.results().at(-1)).toEqual([id, '0x0'])
  }
  for (const { socket } of [first, other]) socket.destroy()
  expect(world.faults()).toEqual([])
  await world.close()
})

test('a client that has said all still gets its answers', async () => {
  const world = await openHttpWorld('http')
  const { socket, results } = await dial(world.port)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end([1, 2].map((id) => balanceOf(world.receiver, id)).join(''))
  await closed
  expect(results()).toEqual([
    [1, '0x0'],
    [2, '0x0'],
  ])
  await world.close()
})

// A small fixed sample of what `npm run fuzz -- http` does for as long as one likes.
const requests = sampled(60, 400)
describe.each([
  ['the thread that makes blocks', openHttpWorld, 0],
  ['a thread of the servers', openNodeWorld, 1],
] as const)('served by %s', (_, open, index) => {
  test.each(shareOf(portKinds, index, 2))(
    'clients that pipeline, pause and split requests get their own answers in order (%s)',
    async (kind) => {
      const world = await open(kind)
      const { asked, faults } = await visitAll(world, 1, (asked) => asked < requests)
      expect([...faults, ...world.faults()]).toEqual([])
      expect(asked).toBeGreaterThanOrEqual(requests)
      await world.close()
    },
  )
})
