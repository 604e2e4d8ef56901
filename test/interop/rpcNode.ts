import { setTimeout as delay } from 'node:timers/promises'
import { createClient, until } from '../../bench/rpc/client.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { Checks } from './checks.ts'

/** A node of any make that answers over HTTP. */
export interface RpcNode {
  readonly name: string
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/** Seconds that something may take on a machine with other work. */
const patience = 180
/** Milliseconds between two questions to a node that is waited for. */
const askEvery = 150

/** Someone who makes no blocks: receives transfers, is voted in and out. */
export const guest = '0x00000000000000000000000000000000000000aa'

export function createRpcNode(name: string, httpPort: number, httpHost = '127.0.0.1'): RpcNode {
  return { name, call: createClient(`http://${httpHost}:${httpPort}`).call }
}

/** Waits for an answer other than null and false; a node that does not answer yet is asked again. */
export async function eventually<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  let last: unknown
  const asking = async () => {
    await delay(askEvery)
    try {
      return await ask()
    } catch (error) {
      last = error
      return null
    }
  }
  return until(asking, patience).catch(() => {
    throw new Error(`${what}: not within ${patience} s${last ? `; ${(last as Error).message}` : ''}`)
  })
}

export const heightOf = async (node: RpcNode) => Number(await node.call<string>('eth_blockNumber'))

/** Waits until all of these nodes have a block. */
export async function reach(nodes: readonly RpcNode[], number: number): Promise<void> {
  for (const node of nodes)
    await eventually(`${node.name} comes to block ${number}`, async () => (await heightOf(node)) >= number)
}

/** Waits until all of these nodes are some blocks further than the furthest is now. */
export async function advance(nodes: readonly RpcNode[], blocks: number): Promise<void> {
  // One that was just started does not answer yet.
  const heights = await Promise.all(nodes.map((node) => heightOf(node).catch(() => 0)))
  await reach(nodes, Math.max(...heights) + blocks)
}

/** The same question to all nodes must have the same answer. */
export async function agree(
  checks: Checks,
  nodes: readonly RpcNode[],
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const answers = await Promise.all(nodes.map((node) => node.call(method, ...params)))
  checks.equal(
    `${method}(${params.map((param) => JSON.stringify(param)).join()}) of all`,
    answers.every((answer) => JSON.stringify(answer) === JSON.stringify(answers[0])),
    true,
  )
  return answers[0]
}

/** The hash of a node's block. */
export async function hashAt(node: RpcNode, number: number): Promise<string | undefined> {
  const block = await node.call<{ hash: string } | null>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
  return block?.hash
}

/** Every one of these blocks must be the same on all nodes. */
export async function sameBlocks(
  checks: Checks,
  nodes: readonly RpcNode[],
  first: number,
  last: number,
): Promise<void> {
  await checks.step(
    `blocks ${first} to ${last} of ${nodes.map(({ name }) => name).join(', ')} are the same`,
    async () => {
      for (let number = first; number <= last; number++) {
        const hashes = await Promise.all(nodes.map((node) => hashAt(node, number)))
        if (hashes[0] === undefined || new Set(hashes).size > 1) throw new Error(`block ${number}: ${hashes.join(' ')}`)
      }
    },
  )
}

/** Sends a transfer to one node and looks for it on the others. */
export async function transfer(
  checks: Checks,
  through: RpcNode,
  nodes: readonly RpcNode[],
  { nonce, gasPrice }: { readonly nonce: bigint; readonly gasPrice: bigint },
): Promise<void> {
  const body = { to: hexToAddress(guest), value: 1n, data: new Uint8Array(0), gasLimit: 21_000n, gasPrice }
  const signed = signTx({ type: 0, chainId: 1337n, nonce, ...body }, fromHex(devAccounts[0].privateKey))
  await checks.step(`a transfer through ${through.name} is in all chains`, async () => {
    const hash = await through.call<string>('eth_sendRawTransaction', toHex(encodeTx(signed)))
    for (const node of nodes)
      await eventually(`${node.name} has the receipt`, () => node.call('eth_getTransactionReceipt', hash))
  })
}
