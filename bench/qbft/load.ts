import { setTimeout } from 'node:timers/promises'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { type Call, type Client, createClient, until } from '../rpc/client.ts'
import { tokenCode } from '../rpc/token.ts'
import { benchChainId } from '../signedTransfers.ts'
import { inputOf } from '../workloads/contracts.ts'

export const workloads = ['transfers', 'ERC-20 transfers'] as const
export type Workload = (typeof workloads)[number]

/** What became of a load. */
export interface LoadResult {
  readonly offered: number
  readonly accepted: number
  readonly mined: number
  /** Transactions in blocks per second, from the first to the last second of the load. */
  readonly perSecond: number
  /** Milliseconds from sending a transaction to seeing its block. */
  readonly p50: number
  readonly p99: number
  readonly blocks: number
}

const accounts = 100
const keys = Array.from({ length: accounts }, (_, i) => bigIntToFixed(BigInt(1000 + i), 32))
const rich = fromHex(devAccounts[0].privateKey)
/** Transactions of one request. */
const batchSize = 25
const patience = 120

interface Sending {
  readonly to?: Address
  readonly data?: Uint8Array
  readonly gasLimit: bigint
}

/** Gas is free on both networks. */
function signed(key: Uint8Array, nonce: number, { to, data = new Uint8Array(0), gasLimit }: Sending): string {
  const body = { gasPrice: 0n, gasLimit, to, value: 0n, data }
  return toHex(encodeTx(signTx({ type: 0, chainId: benchChainId, nonce: BigInt(nonce), ...body }, key)))
}

const minedReceipt = (client: Client, hash: string) =>
  until(() => client.call<{ contractAddress: string } | null>('eth_getTransactionReceipt', hash), patience)

/** Deploys a token and gives each account its part. */
async function spreadToken(client: Client): Promise<Address> {
  const start = Number(await client.call<string>('eth_getTransactionCount', toHex(privateKeyToAddress(rich)), 'latest'))
  const hash = await client.call<string>(
    'eth_sendRawTransaction',
    signed(rich, start, { data: tokenCode, gasLimit: 500_000n }),
  )
  const token = hexToAddress((await minedReceipt(client, hash)).contractAddress)
  const gifts = keys.map((key, i): Call => {
    const data = fromHex(inputOf('transfer(address,uint256)', toHex(privateKeyToAddress(key)), 1_000_000))
    return ['eth_sendRawTransaction', signed(rich, start + 1 + i, { to: token, data, gasLimit: 100_000n })]
  })
  const hashes = (await client.batch(gifts)) as string[]
  await minedReceipt(client, hashes.at(-1)!)
  return token
}

/** Transactions of all accounts in turn, signed beforehand. */
async function prepare(workload: Workload, client: Client, count: number): Promise<string[]> {
  const token = workload === 'transfers' ? undefined : await spreadToken(client)
  const nonces = (await client.batch(
    keys.map((key): Call => ['eth_getTransactionCount', toHex(privateKeyToAddress(key)), 'latest']),
  )) as string[]
  const firsts = nonces.map(Number)
  return Array.from({ length: count }, (_, i) => {
    const account = i % accounts
    const nonce = firsts[account]! + Math.floor(i / accounts)
    const to = bigIntToFixed(BigInt(0x10000 + (i % 997)), 20) as Address
    if (!token) return signed(keys[account]!, nonce, { to, gasLimit: 21_000n })
    const data = fromHex(inputOf('transfer(address,uint256)', toHex(to), 1))
    return signed(keys[account]!, nonce, { to: token, data, gasLimit: 100_000n })
  })
}

/** Follows the chain of one node and notes when each transaction was seen in a block. */
function followBlocks(client: Client, from: number) {
  const seen = new Map<string, number>()
  let blocks = 0
  let next = from
  let stopped = false
  async function look(): Promise<void> {
    while (!stopped) {
      const block = await client
        .call<{ transactions: string[] } | null>('eth_getBlockByNumber', `0x${next.toString(16)}`, false)
        .catch(() => null)
      if (!block) await setTimeout(50)
      else {
        const now = performance.now()
        for (const hash of block.transactions) seen.set(hash, now)
        next++
        blocks++
      }
    }
  }
  const ended = look()
  return {
    seen,
    blocks: () => blocks,
    async stop() {
      stopped = true
      await ended
    },
  }
}

/** Sends `rate` transactions a second, each account to the same validator, and follows what becomes of them. */
export async function applyLoad(
  urls: readonly string[],
  workload: Workload,
  rate: number,
  seconds: number,
): Promise<LoadResult> {
  const clients = urls.map(createClient)
  const offered = rate * seconds
  const raws = await prepare(workload, clients[0]!, offered)
  const head = Number(await clients[0]!.call<string>('eth_blockNumber'))
  const follower = followBlocks(clients[0]!, head + 1)
  const sentAt = new Map<string, number>()

  async function send(node: number, batch: readonly string[]): Promise<void> {
    const now = performance.now()
    const body = batch.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }))
    const response = await fetch(urls[node]!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    for (const { result } of (await response.json()) as { result?: string }[]) if (result) sentAt.set(result, now)
  }

  const start = performance.now()
  const sendings: Promise<void>[] = []
  for (let at = 0; at < offered; at += batchSize * urls.length) {
    const wait = start + (at / rate) * 1000 - performance.now()
    if (wait > 0) await setTimeout(wait)
    // Accounts go round by the node, so that the nonces of one arrive in order.
    const slice = raws.slice(at, at + batchSize * urls.length)
    for (const [node] of urls.entries()) {
      const batch = slice.filter((_, i) => i % urls.length === node)
      sendings.push(send(node, batch).catch(() => {}))
    }
  }
  await Promise.all(sendings)
  const end = performance.now()
  // What was accepted in the last seconds may still come in; a chain that stands still is not waited for long.
  for (let wait = 0; wait < 10 && follower.seen.size < sentAt.size; wait++) await setTimeout(1000)
  await follower.stop()

  const latencies = [...sentAt].flatMap(([hash, sent]) => {
    const mined = follower.seen.get(hash)
    return mined === undefined ? [] : [mined - sent]
  })
  latencies.sort((a, b) => a - b)
  const duringLoad = [...follower.seen.values()].filter((time) => time <= end).length
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    offered,
    accepted: sentAt.size,
    mined: latencies.length,
    perSecond: duringLoad / ((end - start) / 1000),
    p50: quantile(0.5),
    p99: quantile(0.99),
    blocks: follower.blocks(),
  }
}
