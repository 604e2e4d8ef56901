import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { hexToHash, toHex } from '../primitives/hex.ts'
import type { JsonObject } from '../primitives/json.ts'
import { type AskNode, createAskNode } from './askNode.ts'
import type { FileBlock } from './blockFile.ts'
import { blockFromJson, headerFromJson } from './blockFromJson.ts'
import { BlockFileError } from './fault.ts'

/** Blocks that are asked for at the same time. */
const maxRequests = 16

interface NodeBlocksParts {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
}

/**
 * The blocks of a running node that the chain lacks, up to the node's head: `eth_getBlockByNumber`, which every node serves.
 * What its answers leave out or add changes the hash of a block, and is refused.
 */
export async function* readNodeBlocks(
  place: string,
  { chain, consensus }: NodeBlocksParts,
  stop: AbortSignal,
): AsyncGenerator<FileBlock> {
  const ask = createAskNode(place, stop)
  const coming: Promise<FileBlock>[] = []
  try {
    let next = (await findCommonBlock(place, ask, chain)) + 1n
    let head = await headOf(ask)
    for (;;) {
      while (coming.length < maxRequests && next <= head) {
        const block = readBlock(place, ask, consensus, next++, head)
        // Its failure is seen when it is its turn.
        block.catch(() => {})
        coming.push(block)
      }
      const first = coming.shift()
      if (first) yield await first
      else {
        const newest = await headOf(ask)
        if (newest <= head) return
        head = newest
      }
    }
  } catch (error) {
    if (!stop.aborted) throw error
  }
}

async function headOf(ask: AskNode): Promise<bigint> {
  return BigInt(String(await ask('eth_blockNumber')))
}

async function readBlock(
  place: string,
  ask: AskNode,
  consensus: ConsensusEngine,
  number: bigint,
  head: bigint,
): Promise<FileBlock> {
  const refuse = (reason: string, cause?: unknown) =>
    new BlockFileError({ code: 'NODE_BLOCK', path: place, number, reason }, cause)
  const json = (await ask('eth_getBlockByNumber', toQuantity(number), true)) as JsonObject | null
  if (json === null) throw refuse('the node does not have it')
  const uncles = Array.isArray(json.uncles) ? json.uncles : []
  const ommers = await Promise.all(
    uncles.map((_, i) => ask('eth_getUncleByBlockNumberAndIndex', toQuantity(number), toQuantity(BigInt(i)))),
  )
  try {
    const block = blockFromJson(
      json,
      ommers.map((ommer) => headerFromJson(ommer as JsonObject)),
    )
    const hash = toHex(consensus.hash(block.header))
    if (hash !== json.hash) throw new RangeError(`its hash is ${hash}, but the node says ${String(json.hash)}`)
    return { block, size: Number(json.size ?? 0), share: Number(number) / Number(head) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw refuse(error.message, error)
  }
}

/** The highest block of the own chain that the node has too. */
async function findCommonBlock(place: string, ask: AskNode, chain: Chain): Promise<bigint> {
  let number = chain.head().header.number
  for (let step = 1n; number > 0n; step *= 2n) {
    const own = chain.read((view) => view.blockAt(number)?.hash)
    const theirs = await hashAt(ask, number)
    if (own && theirs && equalBytes(own, theirs)) return number
    number = number > step ? number - step : 0n
  }
  const have = await hashAt(ask, 0n)
  const want = chain.genesis.hash
  if (!have || !equalBytes(have, want))
    throw new BlockFileError({ code: 'OTHER_GENESIS', path: place, have: have ?? (new Uint8Array(32) as Hash32), want })
  return 0n
}

async function hashAt(ask: AskNode, number: bigint): Promise<Hash32 | undefined> {
  const json = (await ask('eth_getBlockByNumber', toQuantity(number), false)) as { hash: string } | null
  return json ? hexToHash(json.hash) : undefined
}

function toQuantity(number: bigint): string {
  return `0x${number.toString(16)}`
}
