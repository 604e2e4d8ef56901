import { setImmediate, setTimeout } from 'node:timers/promises'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { type Call, type Client, createClient, requestBody, until } from '../rpc/client.ts'
import { tokenCode } from '../rpc/token.ts'
import { benchChainId } from '../signedTransfers.ts'
import { inputOf } from '../workloads/contracts.ts'
import type { Consortium } from './consortium.ts'
import { createPoster, type Poster } from './poster.ts'
import { senderKeys } from './senders.ts'

/** By the names of an option. */
export const workloads = { transfers: 'transfers', tokens: 'ERC-20 transfers' } as const
export type Workload = (typeof workloads)[keyof typeof workloads]

/** What became of a load. */
export interface LoadResult {
  readonly offered: number
  /** Answers that a node has no room; the same transaction may be refused more than once. */
  readonly refused: number
  readonly accepted: number
  readonly mined: number
  /** Transactions in blocks per second, from the first to the last second of the load. */
  readonly perSecond: number
  /** Milliseconds from sending a transaction, that time that it was accepted, to seeing its block. */
  readonly p50: number
  readonly p99: number
  /** The same from the first time that the transaction was sent, also where it was refused then. */
  readonly p99FromFirst: number
  readonly blocks: number
  /** Seconds between two blocks at most, by their own timestamps. */
  readonly slowest: number
  /** Milliseconds by which a request was sent later than it was to be, at most. */
  readonly lag: number
}

const accounts = senderKeys.length
const keys = senderKeys
const rich = fromHex(devAccounts[0].privateKey)
/** Requests to each validator in a second. */
const requestsPerSecond = 4
const patience = 120
/** Milliseconds between looks for a new block, and after the load. */
const lookEvery = 50
const afterwards = 5000
/** Transactions that are signed before the event loop has its turn. */
const signedPerTurn = 1000

interface Sending {
  readonly to?: Address
  readonly data?: Uint8Array
  readonly gasLimit: bigint
  readonly gasPrice: bigint
}

function signed(key: Uint8Array, nonce: number, sending: Sending): string {
  const { to, data = new Uint8Array(0), gasLimit, gasPrice } = sending
  const body = { gasPrice, gasLimit, to, value: 0n, data }
  return toHex(encodeTx(signTx({ type: 0, chainId: benchChainId, nonce: BigInt(nonce), ...body }, key)))
}

const minedReceipt = (client: Client, hash: string) =>
  until(() => client.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', hash), patience)

/** Deploys a token and gives each account its part. */
async function spreadToken(client: Client, gasPrice: bigint): Promise<Address> {
  const start = Number(await client.call<string>('eth_getTransactionCount', toHex(privateKeyToAddress(rich)), 'latest'))
  const hash = await client.call<string>(
    'eth_sendRawTransaction',
    signed(rich, start, { data: tokenCode, gasLimit: 1_000_000n, gasPrice }),
  )
  const token = hexToAddress((await minedReceipt(client, hash)).contractAddress)
  const gifts = keys.map((key, i): Call => {
    const data = fromHex(inputOf('transfer(address,uint256)', toHex(privateKeyToAddress(key)), 1_000_000))
    return ['eth_sendRawTransaction', signed(rich, start + 1 + i, { to: token, data, gasLimit: 100_000n, gasPrice })]
  })
  const hashes = (await client.batch(gifts)) as string[]
  await minedReceipt(client, hashes.at(-1)!)
  return token
}

/** Milliseconds for which blocks of an earlier load are waited for, and between looks at them. */
const drainWithin = 30_000
const drainLookEvery = 500

/** The next nonce of each sender, once no transaction of an earlier load waits any more. */
async function nextNonces(client: Client): Promise<number[]> {
  const end = performance.now() + drainWithin
  for (;;) {
    const [mined, waiting] = await Promise.all(
      ['latest', 'pending'].map((block) =>
        client.batch(keys.map((key): Call => ['eth_getTransactionCount', toHex(privateKeyToAddress(key)), block])),
      ),
    )
    const isDrained = mined!.every((nonce, i) => Number(nonce) === Number(waiting![i]))
    if (isDrained || performance.now() > end) return mined!.map(Number)
    await setTimeout(drainLookEvery)
  }
}

/** Transactions of all accounts in turn, signed beforehand. */
async function prepare(workload: Workload, client: Client, count: number, gasPrice: bigint): Promise<string[]> {
  const token = workload === 'transfers' ? undefined : await spreadToken(client, gasPrice)
  const firsts = await nextNonces(client)
  function sign(i: number): string {
    const account = i % accounts
    const nonce = firsts[account]! + Math.floor(i / accounts)
    const to = bigIntToFixed(BigInt(0x10000 + (i % 997)), 20) as Address
    if (!token) return signed(keys[account]!, nonce, { to, gasLimit: 21_000n, gasPrice })
    const data = fromHex(inputOf('transfer(address,uint256)', toHex(to), 1))
    return signed(keys[account]!, nonce, { to: token, data, gasLimit: 100_000n, gasPrice })
  }
  const raws: string[] = []
  while (raws.length < count) {
    raws.push(sign(raws.length))
    // Signing takes minutes; a node closes connections that rest that long, and the next request must not run into one of them.
    if (raws.length % signedPerTurn === 0) await setImmediate()
  }
  return raws
}

/** Transactions that are sent together. */
interface Request {
  readonly raws: readonly string[]
  readonly body: Buffer
}

function requestOf(raws: readonly string[]): Request {
  return { raws, body: Buffer.from(requestBody(raws.map((raw): Call => ['eth_sendRawTransaction', raw]))) }
}

/** The requests to one node. Those that nothing was put back to are made beforehand: making them takes time. */
function createRequests(raws: readonly string[], size: number) {
  const planned: Request[] = []
  for (let at = 0; at < raws.length; at += size) planned.push(requestOf(raws.slice(at, at + size)))
  const refused: string[] = []
  const order = new Map(raws.map((raw, i) => [raw, i]))
  let next = 0
  return {
    /** Whether some wait to be sent again. */
    hasRefused: () => refused.length > 0,
    /** As many as always: what was refused comes first. */
    next(): Request {
      if (refused.length >= size) return requestOf(refused.splice(0, size))
      const request = planned[next++] ?? requestOf([])
      if (refused.length === 0) return request
      const all = [...refused.splice(0), ...request.raws]
      refused.unshift(...all.splice(size))
      return requestOf(all)
    },
    putBack(again: readonly string[]): void {
      if (again.length === 0) return
      refused.push(...again)
      refused.sort((a, b) => order.get(a)! - order.get(b)!)
    },
  }
}

const refusal = /pool is full|Too many transactions/

/** Those that a node has no room for now: anyone who sent them is to try again. */
function refusedOf({ raws }: Request, text: string): string[] {
  if (!refusal.test(text)) return []
  const replies = JSON.parse(text) as { error?: { message: string } }[]
  return raws.filter((_, i) => refusal.test(replies[i]?.error?.message ?? ''))
}

/** A text that came in, and when what it tells of happened. Texts are read when the load is over. */
interface Noted {
  readonly at: number
  readonly text: string
}

const memberOf = (text: string, name: 'hash' | 'parentHash'): string | undefined =>
  new RegExp(`"${name}":"(0x[0-9a-f]{64})"`).exec(text)?.[1]

/** Follows the chain of one node and notes when each block was seen; a block that was replaced is forgotten. */
function followBlocks({ post }: Poster, from: number) {
  const noted: Noted[] = []
  function note(text: string): void {
    const last = noted.at(-1)
    // Signers of Clique undo blocks of each other.
    if (last && memberOf(last.text, 'hash') !== memberOf(text, 'parentHash')) noted.pop()
    else noted.push({ at: performance.now(), text })
  }
  let stopped = false
  async function look(): Promise<void> {
    while (!stopped) {
      const number = `0x${(from + noted.length).toString(16)}`
      const text = await post(Buffer.from(requestBody(['eth_getBlockByNumber', number, false]))).catch(() => '')
      if (text.includes('"transactions"')) note(text)
      else await setTimeout(lookEvery)
    }
  }
  const ended = look()
  return {
    noted,
    async stop() {
      stopped = true
      await ended
    },
  }
}

interface SeenBlock {
  readonly at: number
  readonly timestamp: number
  readonly transactions: readonly string[]
}

function readBlock({ at, text }: Noted): SeenBlock {
  const { result } = JSON.parse(text) as { result: { timestamp: string; transactions: string[] } }
  return { at, timestamp: Number(result.timestamp), transactions: result.transactions }
}

/** An answer, with what was asked. */
interface Answer extends Noted {
  readonly request: Request
}

/** When a transaction that was accepted was sent: that time, and the first. Those that are refused are so at once. */
interface Sent {
  readonly accepted: number
  readonly first: number
}

/** The accepted transactions by their hashes. */
function readAccepted(answers: readonly Answer[]): Map<string, Sent> {
  const refusedAt = new Map<string, number>()
  for (const { at, request, text } of answers)
    for (const raw of refusedOf(request, text)) refusedAt.set(raw, Math.min(at, refusedAt.get(raw) ?? at))
  const sent = new Map<string, Sent>()
  for (const { at, request, text } of answers)
    for (const [i, { result }] of (JSON.parse(text) as { result?: string }[]).entries())
      if (result) sent.set(result, { accepted: at, first: refusedAt.get(request.raws[i]!) ?? at })
  return sent
}

/** How many times a transaction was refused. */
function countRefused(answers: readonly Answer[]): number {
  return answers.reduce((sum, { request, text }) => sum + refusedOf(request, text).length, 0)
}

function slowestOf(blocks: readonly SeenBlock[]): number {
  return Math.max(0, ...blocks.slice(1).map(({ timestamp }, i) => timestamp - blocks[i]!.timestamp))
}

/**
 * Sends `rate` transactions a second, each account to the same validator, and follows what becomes of them; those that a
 * validator has no room for are sent again, in front of the next. While it lasts it does next to nothing itself, for it shares the
 * machine with the validators.
 */
export async function applyLoad(
  { urls, gasPrice }: Pick<Consortium, 'urls' | 'gasPrice'>,
  workload: Workload,
  rate: number,
  seconds: number,
  during: (load: () => Promise<void>) => Promise<void>,
): Promise<LoadResult> {
  const client = createClient(urls[0]!)
  const offered = rate * seconds
  const perTick = Math.ceil(rate / requestsPerSecond)
  const raws = await prepare(workload, client, offered, gasPrice)
  // Each account belongs to one node, so that its nonces stay in order.
  const requests = urls
    .map((_, node) => raws.filter((_, i) => i % urls.length === node))
    .map((own) => createRequests(own, Math.ceil(perTick / urls.length)))
  const posters = urls.map(createPoster)
  const head = Number(await client.call<string>('eth_blockNumber'))
  const follower = followBlocks(posters[0]!, head + 1)
  const answers: Answer[] = []
  let [start, end, lag] = [0, 0, 0]

  async function send(node: number): Promise<void> {
    const request = requests[node]!.next()
    if (request.raws.length === 0) return
    const at = performance.now()
    const text = await posters[node]!.post(request.body)
    answers.push({ at, text, request })
    requests[node]!.putBack(refusedOf(request, text))
  }

  await during(async () => {
    const sendings: Promise<void>[] = []
    start = performance.now()
    for (let tick = 0; tick < seconds * requestsPerSecond; tick++) {
      const wait = start + (tick * 1000) / requestsPerSecond - performance.now()
      if (wait > 0) await setTimeout(wait)
      lag = Math.max(lag, performance.now() - start - (tick * 1000) / requestsPerSecond)
      for (const node of urls.keys()) sendings.push(send(node).catch(() => {}))
    }
    await Promise.all(sendings)
    end = performance.now()
    // What was accepted in the last seconds may still come in, and what was refused is sent again; a chain that stands still is not
    // waited for long.
    while (performance.now() < end + afterwards) {
      const again = [...urls.keys()].filter((node) => requests[node]!.hasRefused())
      await Promise.all([setTimeout(1000 / requestsPerSecond), ...again.map((node) => send(node).catch(() => {}))])
    }
  })
  await follower.stop()
  for (const poster of posters) poster.close()

  const sent = readAccepted(answers)
  const blocks = follower.noted.map(readBlock)
  const minedAt = new Map(blocks.flatMap(({ at, transactions }) => transactions.map((hash) => [hash, at] as const)))
  const mined = [...sent].flatMap(([hash, times]) => (minedAt.has(hash) ? [{ ...times, at: minedAt.get(hash)! }] : []))
  const latencies = mined.map(({ accepted, at }) => at - accepted).sort((a, b) => a - b)
  const fromFirst = mined.map(({ first, at }) => at - first).sort((a, b) => a - b)
  const duringLoad = [...minedAt.values()].filter((at) => at <= end).length
  const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    offered,
    refused: countRefused(answers),
    accepted: sent.size,
    mined: mined.length,
    perSecond: duringLoad / ((end - start) / 1000),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    p99FromFirst: quantile(fromFirst, 0.99),
    blocks: blocks.length,
    slowest: slowestOf(blocks),
    lag,
  }
}
