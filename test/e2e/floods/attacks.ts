import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { largeTxs, mutatedSignatures, nonceGaps, transfers } from './floodTxs.ts'

/** Ports of a node under attack. */
export interface Target {
  readonly http: number
  readonly ws: number
  /** Nonce of the account that sends large transactions. */
  readonly nonce: number
}

/** The nodes under attack; most floods are for the first one. */
export type Targets = readonly [Target, ...Target[]]

/** What was done, and what came back. */
export interface Tally {
  sent: number
  answered: number
  refused: number
}

/** Prepares what is sent; what it returns floods the targets for about so many milliseconds. */
export type Attack = (targets: Targets) => (duration: number, tally: Tally) => Promise<void>

const clients = 40
/** Requests of a client at once, and milliseconds from these to the next. */
const burst = 50
const pause = 20
/** Unsent bytes above which a client waits. */
const fullBuffer = 100_000

const cheapCall = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', true] })

async function dial(port: number): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  client.on('error', () => {})
  await Promise.race([once(client, 'open'), once(client, 'close')])
  return client
}

const dialAll = ([{ ws }]: Targets) => Promise.all(Array.from({ length: clients }, () => dial(ws)))

const sockets: Attack =
  ([target]) =>
  async (duration, tally) => {
    const all = await dialAll([target])
    for (const client of all) client.on('message', () => tally.answered++)
    const end = Date.now() + duration
    while (Date.now() < end) {
      for (const client of all) {
        if (client.readyState !== WebSocket.OPEN || client.bufferedAmount > fullBuffer) continue
        for (let i = 0; i < burst; i++) client.send(cheapCall)
        tally.sent += burst
      }
      await delay(pause)
    }
    for (const client of all) client.terminate()
  }

const headOf = (length: number) =>
  `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

const submission = (raw: string, id: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"eth_sendRawTransaction","params":["${raw}"]}`

/** Batches of transactions as requests. */
function requestsOf(raws: readonly string[], perBatch: number): Buffer[] {
  const requests: Buffer[] = []
  for (let at = 0; at < raws.length; at += perBatch) {
    const body = `[${raws
      .slice(at, at + perBatch)
      .map(submission)
      .join()}]`
    requests.push(Buffer.from(headOf(body.length) + body))
  }
  return requests
}

/** Opens a connection whose bytes are read as they come: the results and errors in them are counted, not parsed. */
function openSocket({ http }: Target, tally: Tally, onBytes: () => void = () => {}) {
  const socket = connect(http, '127.0.0.1')
  const count = (bytes: Buffer, text: string) => {
    let found = 0
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found++
    return found
  }
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    const refused = count(bytes, '"error"')
    tally.refused += refused
    tally.answered += refused + count(bytes, '"result"')
    onBytes()
  })
  return socket
}

const pipelined: Attack =
  ([target]) =>
  async (duration, tally) => {
    const requests = Buffer.from(`${headOf(cheapCall.length)}${cheapCall}`.repeat(burst))
    const all = Array.from({ length: clients }, () => openSocket(target, tally))
    const end = Date.now() + duration
    while (Date.now() < end) {
      for (const socket of all) {
        if (socket.destroyed || socket.writableLength > fullBuffer) continue
        socket.write(requests)
        tally.sent += burst
      }
      await delay(pause)
    }
    for (const socket of all) socket.destroy()
  }

/** Sends all of these at once over many connections, and waits for the answers until the time is over. */
async function submitAll(targets: Targets, raws: readonly string[], perBatch: number, duration: number, tally: Tally) {
  const requests = requestsOf(raws, perBatch)
  await new Promise<void>((resolve) => {
    const done = setTimeout(resolve, duration)
    const onBytes = () => {
      if (tally.answered < raws.length) return
      clearTimeout(done)
      resolve()
    }
    const all = Array.from({ length: clients }, (_, i) => openSocket(targets[i % targets.length]!, tally, onBytes))
    for (const [i, request] of requests.entries()) all[i % all.length]!.write(request)
    tally.sent += raws.length
  })
}

const signatures: Attack = (targets) => {
  const raws = mutatedSignatures(40_000)
  return (duration, tally) => submitAll(targets, raws, 100, duration, tally)
}

const ordinary: Attack = (targets) => {
  const raws = transfers(500, BigInt(targets[0].nonce))
  return (duration, tally) => submitAll(targets, raws, 50, duration, tally)
}

const gaps: Attack = (targets) => {
  const raws = nonceGaps(3000)
  return (duration, tally) => submitAll(targets, raws, 100, duration, tally)
}

/** So many at once; with four targets, each gets a part. */
const large =
  (count: number): Attack =>
  (targets) => {
    const raws = largeTxs(count, BigInt(targets[0].nonce))
    return (duration, tally) => submitAll(targets, raws, 1, duration, tally)
  }

const subscriptions: Attack =
  ([target]) =>
  async (duration, tally) => {
    const perClient = 1000
    const end = Date.now() + duration
    const all = await dialAll([target])
    const ask = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
    for (const client of all) {
      client.on('message', (data) => {
        const text = String(data)
        if (!text.includes('"id":1')) return
        tally.answered++
        if (text.includes('"error"')) tally.refused++
      })
      for (let i = 0; i < perClient; i++) client.send(ask)
      tally.sent += perClient
    }
    await delay(end - Date.now())
    for (const client of all) client.terminate()
  }

/** What every node does sooner or later, so that what it starts then is not taken for an effect of a flood. */
export const warmUp = { doc: '500 transfers', attack: ordinary, all: false }

/** The floods, and what each of them is. */
export const attacks = {
  sockets: { doc: `${clients} WebSockets of cheap calls`, attack: sockets, all: false },
  pipelined: { doc: `${clients} connections of pipelined HTTP`, attack: pipelined, all: false },
  signatures: { doc: '40,000 mutated signatures', attack: signatures, all: false },
  gaps: { doc: '3,000 transactions behind a gap of nonces', attack: gaps, all: false },
  large: { doc: '100 transactions of 127 KB', attack: large(100), all: false },
  burst: { doc: '360 transactions of 127 KB', attack: large(360), all: false },
  burstAtAll: { doc: '360 transactions of 127 KB at four validators', attack: large(360), all: true },
  subscriptions: { doc: '40,000 subscriptions', attack: subscriptions, all: false },
} as const satisfies Record<string, { doc: string; attack: Attack; all: boolean }>

export type AttackName = keyof typeof attacks
