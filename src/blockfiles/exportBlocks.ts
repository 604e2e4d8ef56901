import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Chain } from '../chain/chain.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { encodeBlock } from '../types/block.ts'

export interface ExportOptions {
  readonly startBlock: bigint
  /** The first block that is left out; undefined goes on to the head. */
  readonly endBlock: bigint | undefined
  /** Appends to the file instead of replacing it. */
  readonly append: boolean
  readonly stop: AbortSignal
  readonly onProgress: (progress: ExportProgress) => void
}

export interface ExportProgress {
  readonly exported: number
  /** Blocks that were asked for. */
  readonly wanted: number
}

const pieceSize = 1 << 20
const maxAtOnce = 256

/** Writes canonical blocks as RLP, one at a time, gzipped if the name ends in `.gz`; all of them or nothing. */
export async function exportBlocks(
  chain: Pick<Chain, 'openView'>,
  path: string,
  options: ExportOptions,
): Promise<ExportProgress> {
  const { append, stop } = options
  const target = append ? path : `${path}.${process.pid}.tmp`
  const before = append ? (statSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0
  const file = openSync(target, append ? 'a' : 'wx')
  let done = false
  try {
    const progress = await writeAll(chain, file, path.endsWith('.gz'), options)
    fsyncSync(file)
    if (!append && !stop.aborted) renameSync(target, path)
    done = !stop.aborted
    return progress
  } finally {
    if (!done && append) ftruncateSync(file, before)
    closeSync(file)
    if (!done && !append) rmSync(target, { force: true })
  }
}

async function writeAll(
  chain: Pick<Chain, 'openView'>,
  file: number,
  packed: boolean,
  options: ExportOptions,
): Promise<ExportProgress> {
  // Kept open across turns, so that a reorganisation does not mix two branches in one file.
  const view = chain.openView()
  try {
    const head = view.head.header.number
    const end = options.endBlock ?? head + 1n
    const wanted = Number(end > options.startBlock ? end - options.startBlock : 0n)
    let exported = 0
    let pieces: Uint8Array[] = []
    let size = 0
    const flush = () => {
      const bytes = concatBytes(...pieces)
      // A file may consist of several gzip members.
      writeFully(file, packed && bytes.length > 0 ? gzipSync(bytes) : bytes)
      pieces = []
      size = 0
    }
    for (let number = options.startBlock; number < end && !options.stop.aborted; number++) {
      const found = view.blockAt(number)
      if (!found) break
      const bytes = encodeBlock(found.block)
      pieces.push(bytes)
      size += bytes.length
      exported++
      if (size < pieceSize && pieces.length < maxAtOnce) continue
      flush()
      options.onProgress({ exported, wanted })
      await setImmediate()
    }
    flush()
    return { exported, wanted }
  } finally {
    view.close()
  }
}

function writeFully(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
