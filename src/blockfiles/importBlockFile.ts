import { setImmediate } from 'node:timers/promises'
import type { BulkImport } from '../chain/bulkImport.ts'
import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { createImportPace, type ImportPace } from '../chain/importPace.ts'
import { BlockError } from '../execution/fault.ts'
import { recoverAhead } from '../pool/recoverAhead.ts'
import { equalBytes } from '../primitives/bytes.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import type { Block } from '../types/block.ts'
import { isNode } from './askNode.ts'
import { type FileBlock, readBlockFile } from './blockFile.ts'
import { BlockFileError } from './fault.ts'
import { readNodeBlocks } from './readNodeBlocks.ts'

export interface ImportParts {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  readonly recover: RecoverPool
}

export interface ImportOptions {
  /** Blocks before it are skipped. */
  readonly startBlock: bigint
  /** Blocks from it on are skipped; undefined imports all. */
  readonly endBlock: bigint | undefined
  /** Ends the import between two transactions. */
  readonly stop: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

/** What was imported so far. */
export interface ImportProgress {
  readonly imported: number
  /** Blocks that the chain had already. */
  readonly known: number
  readonly gas: bigint
  /** Share of the source that was read, from 0 to 1. */
  readonly share: number
}

interface Batch {
  readonly blocks: Block[]
  gas: bigint
  size: number
  known: number
  share: number
}

const maxBlocks = 256
/** Nothing runs while the senders of the first batch are recovered: it is small. An import can be stopped only between transactions. */
const paceOptions = { firstBlocks: 2, maxBlocks, maxTime: 1500 }
/** A transaction also ends with the block that reaches one of these. */
const maxGas = 60_000_000n
const maxBytes = 8 << 20

/** Imports a file of RLP blocks, or the blocks of a running node; they are on disk when this returns. Blocks that the chain has are skipped, so that an import that was stopped can go on. */
export async function importBlockFile(
  path: string,
  parts: ImportParts,
  options: ImportOptions,
): Promise<ImportProgress> {
  const bulk = await parts.chain.openBulk()
  try {
    return await importInto(bulk, path, parts, options)
  } finally {
    await bulk.end()
  }
}

async function importInto(
  bulk: BulkImport,
  path: string,
  parts: ImportParts,
  options: ImportOptions,
): Promise<ImportProgress> {
  let progress: ImportProgress = { imported: 0, known: 0, gas: 0n, share: 0 }
  const pace = createImportPace(paceOptions)
  for await (const { blocks, gas, known, share } of recoverAhead(
    batchesOf(path, parts, options, pace),
    parts.recover,
  )) {
    await bulk.ready()
    if (options.stop.aborted) break
    try {
      pace.measure(() => bulk.importBlocks(blocks))
    } catch (error) {
      if (!(error instanceof BlockError)) throw error
      await bulk.settle()
      throw refusal(path, blocks, parts, error)
    }
    progress = {
      imported: progress.imported + blocks.length,
      known: progress.known + known,
      gas: progress.gas + gas,
      share,
    }
    options.onProgress(progress)
    // A request to stop, and the threads that recover senders, are served only between turns of the event loop.
    await setImmediate()
    if (options.stop.aborted) break
  }
  return progress
}

/** The wanted blocks of a file in batches of one transaction each; a fault in the file is thrown after the blocks before it. */
async function* batchesOf(
  path: string,
  parts: ImportParts,
  options: ImportOptions,
  pace: ImportPace,
): AsyncGenerator<Batch> {
  let batch = emptyBatch(0)
  try {
    for await (const found of blocksOf(path, parts, options.stop)) {
      batch.share = found.share
      if (!isWanted(found, options)) continue
      if (isKnown(path, found.block, parts)) batch.known++
      else {
        batch.blocks.push(found.block)
        batch.gas += found.block.header.gasUsed
        batch.size += found.size
      }
      if (!isFull(batch, pace)) continue
      yield batch
      batch = emptyBatch(found.share)
    }
  } catch (error) {
    yield batch
    // A batch is imported only when the next one has been read.
    yield emptyBatch(batch.share)
    throw error
  }
  yield batch
}

function blocksOf(path: string, parts: ImportParts, stop: AbortSignal): AsyncGenerator<FileBlock> {
  return isNode(path) ? readNodeBlocks(path, parts, stop) : readBlockFile(path)
}

function emptyBatch(share: number): Batch {
  return { blocks: [], gas: 0n, size: 0, known: 0, share }
}

function isKnown(path: string, { header }: Block, { chain, consensus }: ImportParts): boolean {
  const hash = consensus.hash(header)
  if (header.number === 0n) {
    const want = chain.genesis.hash
    if (!equalBytes(hash, want)) throw new BlockFileError({ code: 'OTHER_GENESIS', path, have: hash, want })
    return true
  }
  return chain.read((view) => view.headerBy(hash) !== undefined)
}

function isWanted({ block }: FileBlock, { startBlock, endBlock }: ImportOptions): boolean {
  const { number } = block.header
  // A genesis block is always checked: it shows which network the file is of.
  return number === 0n || (number >= startBlock && (endBlock === undefined || number < endBlock))
}

function isFull({ blocks, gas, size, known }: Batch, pace: ImportPace): boolean {
  return blocks.length >= pace.blocks() || known >= maxBlocks || gas >= maxGas || size >= maxBytes
}

/** Names the block that was refused: those before it were imported. */
function refusal(path: string, blocks: readonly Block[], { chain, consensus }: ImportParts, error: BlockError): Error {
  const refused = chain.read((view) => blocks.find(({ header }) => !view.headerBy(consensus.hash(header))))
  if (!refused) return error
  const { number } = refused.header
  const hash = consensus.hash(refused.header)
  return new BlockFileError({ code: 'BLOCK_REFUSED', path, number, hash, reason: error.message }, error)
}
