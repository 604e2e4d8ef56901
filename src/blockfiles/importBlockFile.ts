import { setImmediate } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import { BlockError } from '../execution/fault.ts'
import { recoverSenders } from '../pool/recoverSenders.ts'
import { equalBytes } from '../primitives/bytes.ts'
import type { RecoverPool } from '../primitives/recoverPool.ts'
import type { Block } from '../types/block.ts'
import { type FileBlock, readBlockFile } from './blockFile.ts'
import { BlockFileError } from './fault.ts'

export interface ImportParts {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  readonly recover: RecoverPool
}

export interface ImportOptions {
  /** Blocks before it are passed over. */
  readonly startBlock: bigint
  /** Blocks from it on are passed over; undefined takes all. */
  readonly endBlock: bigint | undefined
  /** Ends the import between two blocks. */
  readonly stop: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

/** What was done so far. */
export interface ImportProgress {
  readonly imported: number
  /** Blocks that the chain had before. */
  readonly known: number
  readonly gas: bigint
  /** Bytes of the file that were read. */
  readonly read: number
}

interface Batch {
  readonly blocks: Block[]
  gas: bigint
  size: number
  known: number
  read: number
}

/** How many blocks a transaction takes at most: it follows the time that the last one took. */
interface Pace {
  blocks: number
}

/** Nothing runs while the senders of the first batch are being found: it is small. */
const firstPace = 2
const maxBlocks = 256
/** Milliseconds; as long as a transaction runs, nobody is heard who wants the import to stop. */
const maxBatch = 1500
/** A transaction also ends with the block that reaches one of these. */
const maxGas = 60_000_000n
const maxBytes = 8 << 20

/** Imports a file of RLP blocks. What the chain has already is passed over, so that an import that was stopped goes on. */
export async function importBlockFile(
  path: string,
  parts: ImportParts,
  options: ImportOptions,
): Promise<ImportProgress> {
  let progress: ImportProgress = { imported: 0, known: 0, gas: 0n, read: 0 }
  const pace: Pace = { blocks: firstPace }

  async function commit({ blocks, gas, known, read }: Batch): Promise<void> {
    const started = performance.now()
    write(path, blocks, parts)
    const slow = performance.now() - started > maxBatch
    pace.blocks = slow ? Math.max(1, pace.blocks >> 1) : Math.min(maxBlocks, pace.blocks << 1)
    progress = {
      imported: progress.imported + blocks.length,
      known: progress.known + known,
      gas: progress.gas + gas,
      read,
    }
    options.onProgress(progress)
    // Who wants the import to stop, and the threads that recover senders, are heard only between turns.
    await setImmediate()
  }

  let ready: Batch | undefined
  for await (const batch of batchesOf(path, parts, options, pace)) {
    // While this thread runs one batch, others recover the senders of the next.
    const recovered = recoverSenders(
      batch.blocks.flatMap(({ transactions }) => transactions),
      parts.recover,
    )
    if (ready) await commit(ready)
    await recovered
    ready = batch
    if (options.stop.aborted) break
  }
  if (ready && !options.stop.aborted) await commit(ready)
  return progress
}

/** The wanted blocks of a file in portions for one transaction each; a fault in the file comes after those before it. */
async function* batchesOf(path: string, parts: ImportParts, options: ImportOptions, pace: Pace): AsyncGenerator<Batch> {
  let batch = emptyBatch(0)
  try {
    for await (const found of readBlockFile(path)) {
      batch.read = found.read
      if (!isWanted(found, options)) continue
      if (isKnown(path, found.block, parts)) batch.known++
      else {
        batch.blocks.push(found.block)
        batch.gas += found.block.header.gasUsed
        batch.size += found.size
      }
      if (!isFull(batch, pace)) continue
      yield batch
      batch = emptyBatch(found.read)
    }
  } catch (error) {
    yield batch
    // The consumer runs a batch only when it has asked for the next.
    yield emptyBatch(batch.read)
    throw error
  }
  yield batch
}

function emptyBatch(read: number): Batch {
  return { blocks: [], gas: 0n, size: 0, known: 0, read }
}

function isKnown(path: string, { header }: Block, { chain, consensus }: ImportParts): boolean {
  const hash = consensus.hash(header)
  if (header.number === 0n) {
    const want = chain.genesis.hash
    if (!equalBytes(hash, want)) throw new BlockFileError({ code: 'OTHER_GENESIS', path, have: hash, want })
    return true
  }
  const view = chain.view()
  const known = view.headerBy(hash) !== undefined
  view.close()
  return known
}

function isWanted({ block }: FileBlock, { startBlock, endBlock }: ImportOptions): boolean {
  const { number } = block.header
  // A genesis block is always looked at: it tells whose blocks these are.
  return number === 0n || (number >= startBlock && (endBlock === undefined || number < endBlock))
}

function isFull({ blocks, gas, size, known }: Batch, pace: Pace): boolean {
  return blocks.length >= pace.blocks || known >= maxBlocks || gas >= maxGas || size >= maxBytes
}

function write(path: string, blocks: readonly Block[], { chain, consensus }: ImportParts): void {
  try {
    chain.importBlocks(blocks)
  } catch (error) {
    if (!(error instanceof BlockError)) throw error
    // Those before the wrong one were imported.
    const view = chain.view()
    const refused = blocks.find(({ header }) => !view.headerBy(consensus.hash(header)))
    view.close()
    if (!refused) throw error
    const { number } = refused.header
    const hash = consensus.hash(refused.header)
    throw new BlockFileError({ code: 'BLOCK_REFUSED', path, number, hash, reason: error.message }, error)
  }
}
