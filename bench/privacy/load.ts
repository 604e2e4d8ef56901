import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { signPrivate } from '../../test/support/signPrivate.ts'
import { cpuSeconds } from '../cpuSeconds.ts'
import { type Client, createClient, until } from '../rpc/client.ts'
import { tokenCode } from '../rpc/token.ts'
import { inputOf } from '../workloads/contracts.ts'
import type { Consortium, Member } from './consortium.ts'

/** What became of a load. */
export interface PrivateLoad {
  readonly sent: number
  readonly failed: number
  /** Private transactions with status 1 per second, from the block before the first was sent to the block of the last. */
  readonly perSecond: number
  /** Milliseconds of CPU time of all nodes and managers per transaction. */
  readonly cpu: number
  readonly blocks: number
  /** Seconds between two public blocks at most, by their own timestamps. */
  readonly slowest: number
}

const chainId = 1337n
/** Seconds that preparations may take, and the last transactions to be executed. */
const patience = 300
const endingPatience = 60

/** A group of members, and how to send to it. */
interface Group {
  readonly id: Uint8Array
  readonly members: readonly Member[]
  readonly clients: readonly Client[]
}

/** A sender of private transactions at one member. */
interface Sender {
  readonly key: Uint8Array
  readonly member: number
  nonce: bigint
}

function signed(group: Group, { key, member, nonce }: Sender, to: Address | undefined, data: Uint8Array): string {
  const privateFrom = Buffer.from(group.members[member]!.key, 'base64')
  const fields = { nonce, to, data, privateFrom, recipients: { privacyGroupId: group.id }, gasLimit: 500_000n }
  return toHex(signPrivate(fields, chainId, key))
}

function send(group: Group, sender: Sender, to: Address | undefined, data: Uint8Array): Promise<string> {
  const sending = group.clients[sender.member]!.call<string>('eea_sendRawTransaction', signed(group, sender, to, data))
  sender.nonce++
  return sending
}

interface Receipt {
  readonly status: string
  readonly contractAddress: string | null
  readonly blockNumber: string
}

/** The receipt of a private transaction at each member. */
function executed({ clients }: Group, hash: string, seconds = patience): Promise<Receipt[]> {
  return Promise.all(
    clients.map((client) =>
      until(() => client.call<Receipt | null>('priv_getTransactionReceipt', hash).catch(() => null), seconds),
    ),
  )
}

async function createGroup(members: readonly Member[]): Promise<Group> {
  const clients = members.map(({ url }) => createClient(url))
  const addresses = members.map(({ key }) => key)
  const id = await clients[0]!.call<string>('priv_createPrivacyGroup', { addresses, name: 'bench', description: '' })
  const group = { id: Buffer.from(id, 'base64'), members, clients }
  for (const client of clients)
    await until(async () => {
      const found = await client.call<{ privacyGroupId: string }[]>('priv_findPrivacyGroup', addresses)
      return found.some(({ privacyGroupId }) => privacyGroupId === id)
    }, patience)
  return group
}

/** A token in the group, of which every sender has some. */
async function spreadToken(group: Group, all: readonly Sender[]): Promise<Address> {
  const owner: Sender = { key: bigIntToFixed(999n, 32), member: 0, nonce: 0n }
  const [created] = await executed(group, await send(group, owner, undefined, tokenCode))
  const token = hexToAddress(created!.contractAddress!)
  // One at a time: Besu may execute a later one first, and then never the others.
  for (const { key } of all) {
    const gift = fromHex(inputOf('transfer(address,uint256)', toHex(privateKeyToAddress(key)), 1_000_000))
    await executed(group, await send(group, owner, token, gift))
  }
  return token
}

async function sendFor(group: Group, sender: Sender, token: Address, end: number): Promise<string[]> {
  const hashes: string[] = []
  while (performance.now() < end) {
    const to = toHex(bigIntToFixed(BigInt(0x10000 + (hashes.length % 997)), 20))
    hashes.push(await send(group, sender, token, fromHex(inputOf('transfer(address,uint256)', to, 1))))
  }
  return hashes
}

/** How many private transactions have succeeded, and the last block with one of them. */
async function succeeded(
  { clients: [client] }: Group,
  hashes: readonly string[],
): Promise<{ done: number; last: number }> {
  let done = 0
  let last = 0
  for (let i = 0; i < hashes.length; i += 100) {
    const calls = hashes.slice(i, i + 100).map((hash) => ['priv_getTransactionReceipt', hash] as const)
    for (const receipt of (await client!.batch(calls)) as (Receipt | null)[]) {
      if (receipt?.status !== '0x1') continue
      done++
      last = Math.max(last, Number(receipt.blockNumber))
    }
  }
  return { done, last }
}

/** The time of a block in seconds. */
async function timeOf({ clients: [client] }: Group, number: number): Promise<number> {
  const block = await client!.call<{ timestamp: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
  return Number(block.timestamp)
}

async function blockTimes({ clients: [client] }: Group, from: number): Promise<{ blocks: number; slowest: number }> {
  const to = Number(await client!.call<string>('eth_blockNumber'))
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => `0x${(from + i).toString(16)}`)
  const blocks = (await client!.batch(numbers.map((number) => ['eth_getBlockByNumber', number, false] as const))) as {
    timestamp: string
  }[]
  const times = blocks.map(({ timestamp }) => Number(timestamp))
  return { blocks: to - from, slowest: Math.max(...times.slice(1).map((time, i) => time - times[i]!)) }
}

export interface LoadOptions {
  /** Members of the group. */
  readonly size: number
  /** Senders at each member; the next transaction of a sender is sent when the last one was accepted. */
  readonly senders: number
  readonly seconds: number
}

/** Sends private ERC-20 transfers in a group of the first members, and waits until all of them have executed them. */
export async function applyPrivateLoad(network: Consortium, options: LoadOptions): Promise<PrivateLoad> {
  const { size, senders, seconds } = options
  const members = network.members.slice(0, size)
  const usedCpu = () => network.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const group = await createGroup(members)
  const all = members.flatMap((_, member) =>
    Array.from({ length: senders }, (_, i): Sender => {
      return { key: bigIntToFixed(BigInt(1000 + 100 * member + i), 32), member, nonce: 0n }
    }),
  )
  const token = await spreadToken(group, all)
  const from = Number(await group.clients[0]!.call<string>('eth_blockNumber'))
  const usedBefore = usedCpu()
  const began = performance.now()
  const hashes = await Promise.all(all.map((sender) => sendFor(group, sender, token, began + seconds * 1000)))
  // Besu executes some before those that they follow: they fail, and what follows them never comes.
  await Promise.all(hashes.map((own) => executed(group, own.at(-1)!, endingPatience))).catch(() => undefined)
  const used = usedCpu() - usedBefore
  const sent = hashes.reduce((sum, own) => sum + own.length, 0)
  const { done, last } = await succeeded(group, hashes.flat())
  const took = (await timeOf(group, last)) - (await timeOf(group, from))
  return {
    ...{ sent, failed: sent - done, perSecond: done / took, cpu: (used * 1000) / done },
    ...(await blockTimes(group, from)),
  }
}
