import { setTimeout as delay } from 'node:timers/promises'
import { deriveKeys } from '../../../src/primitives/hdKey.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { signTx } from '../../../src/types/signTx.ts'
import { noAccessList } from '../../../src/types/transaction.ts'
import { createChecks } from '../../interop/checks.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import type { Tally } from '../../support/runCampaign.ts'
import type { Extent } from '../extent.ts'
import { createRandom, type Random } from '../random.ts'
import { type Call, type Client, connectHttp, connectWs, type Reply } from './client.ts'
import { callSeconds, type ReadersNode, startReadersNode } from './node.ts'

const writers = 10
const askers = 50
const mnemonic = 'test test test test test test test test test test test junk'
/** Milliseconds between two readers that are killed or stopped. */
const strikeEvery = 6000
/** Requests after which a client reconnects, on average. */
const reconnectEvery = 3
/** Milliseconds between the transactions of a writer: those who read need time of the CPU, too. */
const writePause = 200
/** Errors of requests that a reader ran when it ended. */
const lost = /process that ran|Timeout expired/

/** Code that returns the number of the block it runs in. */
const numberCode = '0x4360005260206000f3'
/** Code that emits a log. */
const logCode = '0x60006000a0'

/** A question whose answer tells of which head it is. */
interface Question {
  readonly call: Call
  readonly heightIn: (result: never) => number
}

const questions: readonly Question[] = [
  { call: ['eth_blockNumber'], heightIn: (result: string) => Number(result) },
  { call: ['eth_call', { data: numberCode }, 'latest'], heightIn: (result: string) => Number(result) },
  { call: ['eth_getBlockByNumber', 'latest', false], heightIn: ({ number }: { number: string }) => Number(number) },
  {
    call: ['eth_feeHistory', '0x1', 'latest', []],
    heightIn: ({ oldestBlock }: { oldestBlock: string }) => Number(oldestBlock),
  },
  {
    call: ['debug_traceCall', { data: numberCode }, 'latest', { disableMemory: true }],
    heightIn: ({ returnValue }: { returnValue: string }) => Number(`0x${returnValue.replace(/^0x/, '')}`),
  },
]

/** What all clients together have found. */
interface Findings {
  answers: number
  reconnections: number
  /** Times between two strikes in which the chain has not grown. */
  standstills: number
  /** Requests that a reader ran when it was killed or stopped. */
  lost: number
  readonly wrong: string[]
}

/** Clients read and write through a node whose readers are killed and stopped; true if no answer is older than what its client has seen. */
export async function fuzzReaders({ minutes, seed }: Extent): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-readers', async (folder) => {
      const node = await startReadersNode(folder, 2)
      try {
        const found: Findings = { answers: 0, reconnections: 0, standstills: 0, lost: 0, wrong: [] }
        const strikes = await campaign(node, minutes * 60_000, createRandom(seed), found)
        print(
          `${found.answers} answers, ${found.reconnections} reconnections, ${strikes} strikes, ${found.lost} requests lost`,
        )
        checks.equal('answers that are older than what the client has seen, or wrong', found.wrong.slice(0, 5), [])
        checks.equal('requests lost beyond those that readers ran', Math.max(0, found.lost - strikes), 0)
        checks.equal('clients have reconnected', found.reconnections > 0, true)
        checks.equal('times without a block while a reader was killed or stopped', found.standstills, 0)
        checks.equal('the node runs', node.isRunning(), true)
      } finally {
        await node.stop()
      }
    }),
  )
  return checks
}

/** Returns how many readers were killed or stopped. */
async function campaign(node: ReadersNode, time: number, random: Random, found: Findings): Promise<number> {
  const end = Date.now() + time
  const isOver = () => Date.now() > end
  const [pulseKey, ...keys] = deriveKeys(mnemonic, writers + 1)
  const pulse = createPulse(node, pulseKey!)
  const clients = [
    pulse.run(isOver, found),
    ...keys.map((key, i) => write(node, key, i % 2 === 0, isOver, found)),
    ...Array.from({ length: askers }, (_, i) =>
      ask(node, i % 2 === 0, createRandom(random.below(2 ** 31)), isOver, found),
    ),
  ]
  let strikes = 0
  while (!isOver()) {
    const before = pulse.count()
    await delay(strikeEvery)
    if (strikes > 0 && pulse.count() === before) found.standstills++
    const readers = node.readers()
    if (readers.length === 0) continue
    const pid = readers[random.below(readers.length)]!
    try {
      process.kill(pid, random.below(2) === 0 ? 'SIGKILL' : 'SIGSTOP')
      strikes++
    } catch {
      // It has ended already.
    }
  }
  await Promise.race([
    Promise.all(clients),
    delay(10 * callSeconds * 1000, undefined, { ref: false }).then(() =>
      found.wrong.push('a client waits for an answer'),
    ),
  ])
  return strikes
}

/** What one client has seen. */
function createMemory(found: Findings) {
  let seen = 0
  return {
    get seen() {
      return seen
    },
    receive(number: number): void {
      seen = Math.max(seen, number)
    },
    /** Judges answers to a request that was sent when the client had seen `before`. */
    judge(asked: readonly Question[], replies: readonly Reply[], before: number): void {
      found.answers += replies.length
      const heights: number[] = []
      for (const [i, { result, error }] of replies.entries()) {
        const { call, heightIn } = asked[i]!
        if (error) {
          if (!lost.test(error.message)) found.wrong.push(`${call[0]}: ${error.code} ${error.message}`)
          continue
        }
        const height = heightIn(result as never)
        heights.push(height)
        if (height < before) found.wrong.push(`${call[0]} answers from block ${height} after ${before} was seen`)
      }
      if (replies.some(({ error }) => error && lost.test(error.message))) found.lost++
      if (new Set(heights).size > 1) found.wrong.push(`a batch reads blocks ${heights}`)
      for (const height of heights) seen = Math.max(seen, height)
    },
  }
}

async function ask(
  node: ReadersNode,
  overWs: boolean,
  random: Random,
  isOver: () => boolean,
  found: Findings,
): Promise<void> {
  const memory = createMemory(found)
  const connect = () => (overWs ? connectWs(node.wsUrl, memory.receive) : Promise.resolve(connectHttp(node.url)))
  let client: Client = await connect()
  while (!isOver()) {
    if (random.below(reconnectEvery) === 0) {
      if (random.below(2) === 0) client.leave([random.pick(questions).call])
      else client.close()
      client = await connect()
      found.reconnections++
    }
    if (random.below(10) === 0) await query(node, memory, found)
    const count = random.below(4) === 0 ? 1 + random.below(4) : 1
    const asked = Array.from({ length: count }, () => questions[random.below(questions.length)]!)
    const before = memory.seen
    memory.judge(asked, await client.send(asked.map(({ call }) => call)), before)
  }
  client.close()
}

/** Asks over GraphQL. */
async function query(node: ReadersNode, memory: ReturnType<typeof createMemory>, found: Findings): Promise<void> {
  const before = memory.seen
  const body = JSON.stringify({ query: '{ block { number } }' })
  const response = await fetch(node.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { data, errors } = (await response.json()) as {
    data?: { block: { number: number } }
    errors?: { message: string }[]
  }
  found.answers++
  if (errors) {
    if (/process that ran|too long/.test(errors[0]!.message)) found.lost++
    else found.wrong.push(`GraphQL: ${errors[0]!.message}`)
    return
  }
  if (data!.block.number < before)
    found.wrong.push(`GraphQL answers from block ${data!.block.number} after ${before} was seen`)
  memory.receive(data!.block.number)
}

const price = { maxFee: 100_000_000_000n, maxPriorityFee: 1_000_000_000n }

/** A transaction that emits a log. */
function logTx(nonce: number, key: Uint8Array): string {
  const data = Buffer.from(logCode.slice(2), 'hex')
  const body = { to: undefined, value: 0n, data, gasLimit: 100_000n, accessList: noAccessList }
  return toHex(encodeTx(signTx({ type: 2, chainId: 1337n, nonce: BigInt(nonce), ...price, ...body }, key)))
}

type One = (...call: Call) => Promise<Reply>

async function nonceOf(one: One, key: Uint8Array): Promise<number> {
  return Number((await one('eth_getTransactionCount', toHex(privateKeyToAddress(key)), 'latest')).result)
}

/** Sends transactions one at a time, each when the last one is in a block, and calls nothing that readers answer. */
function createPulse(node: ReadersNode, key: Uint8Array) {
  let blocks = 0
  return {
    /** Blocks that it has seen its transactions in. */
    count: () => blocks,
    async run(isOver: () => boolean, found: Findings): Promise<void> {
      const client = connectHttp(node.url)
      const one: One = async (...call) => (await client.send([call]))[0]!
      for (let nonce = await nonceOf(one, key); !isOver(); nonce++) {
        const { result: hash, error } = await one('eth_sendRawTransaction', logTx(nonce, key))
        if (error) {
          found.wrong.push(`eth_sendRawTransaction: ${error.message}`)
          return
        }
        await receiptOf(one, hash as string)
        blocks++
        await delay(writePause)
      }
      client.close()
    },
  }
}

/** Sends transactions one at a time, and looks for the log of each as soon as it is answered. */
async function write(
  node: ReadersNode,
  key: Uint8Array,
  overWs: boolean,
  isOver: () => boolean,
  found: Findings,
): Promise<void> {
  const client = overWs ? await connectWs(node.wsUrl, () => {}) : connectHttp(node.url)
  const one: One = async (...call) => (await client.send([call]))[0]!
  let nonce = await nonceOf(one, key)
  while (!isOver()) {
    const { result: hash, error } = await one('eth_sendRawTransaction', logTx(nonce++, key))
    if (error) {
      found.wrong.push(`eth_sendRawTransaction: ${error.message}`)
      return
    }
    const receipt = await receiptOf(one, hash as string)
    const logs = await one('eth_getLogs', { fromBlock: receipt.blockNumber, toBlock: 'latest' })
    found.answers += 2
    if (logs.error) {
      if (lost.test(logs.error.message)) found.lost++
      else found.wrong.push(`eth_getLogs: ${logs.error.message}`)
    } else if (!(logs.result as { transactionHash: string }[]).some(({ transactionHash }) => transactionHash === hash))
      found.wrong.push(`eth_getLogs does not have the log of a transaction whose receipt was seen`)
    await delay(writePause)
  }
  client.close()
}

async function receiptOf(one: One, hash: string): Promise<{ blockNumber: string }> {
  for (;;) {
    const { result } = await one('eth_getTransactionReceipt', hash)
    if (result) return result as { blockNumber: string }
    await delay(5)
  }
}
