import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Fault } from '../primitives/fault.ts'
import { decodeRlp, encodeRlp, rlpBytes } from '../primitives/rlp.ts'
import type { RecoverPool } from '../recovery/recoverPool.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
import { decodeNetworkTx, encodeNetworkTx, type NetworkTx } from '../types/blobSidecar.ts'
import type { PoolEntry } from './entry.ts'
import type { Pool } from './pool.ts'
import { recoverSenders } from './recoverSenders.ts'

/** Characters per batch when writing, and when reading and checking: blobs make long lines. */
const charactersPerBatch = 1 << 18

/** Returns the line of a transaction as Besu writes it: `l` or `r` for local or remote, then Base64 of the RLP item. */
function toLine({ tx, sidecar, local }: PoolEntry): string {
  const bytes = encodeNetworkTx(tx, sidecar)
  // Typed transactions are byte strings inside RLP, legacy ones are lists already.
  const item = tx.type === 0 ? bytes : encodeRlp(bytes)
  return `${local ? 'l' : 'r'}${Buffer.from(item).toString('base64')}\n`
}

interface Saved extends NetworkTx {
  readonly local: boolean
}

/** Parses a line; undefined if it is invalid. */
function fromLine(line: string): Saved | undefined {
  const mark = line[0]
  if (mark !== 'l' && mark !== 'r') return undefined
  const item = new Uint8Array(Buffer.from(line.slice(1), 'base64'))
  try {
    const bytes = item[0]! >= 0xc0 ? item : rlpBytes(decodeRlp(item))
    return { ...decodeNetworkTx(bytes), local: mark === 'l' }
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Writes the pool's transactions to a file; a crash leaves either the complete new file or the old one. */
export function savePool(pool: Pick<Pool, 'entries'>, path: string): void {
  writeFileAtomically(path, linesOf(pool))
}

function* linesOf(pool: Pick<Pool, 'entries'>): Generator<string> {
  let text = ''
  for (const entry of pool.entries()) {
    text += toLine(entry)
    if (text.length < charactersPerBatch) continue
    yield text
    text = ''
  }
  yield text
}

export interface RestorePorts {
  readonly pool: Pick<Pool, 'add'>
  readonly recover: RecoverPool
  /** Milliseconds since 1970. */
  now(): number
}

export interface RestoreOutcome {
  readonly restored: number
  /** Transactions that are no longer valid, and unreadable lines. */
  readonly refused: number
  /** False if the time limit was reached before the end of the file. */
  readonly complete: boolean
}

/** Adds the saved transactions to the pool, checked like new ones, for at most `budget` milliseconds; a missing file is empty. */
export async function restorePool(path: string, ports: RestorePorts, budget: number): Promise<RestoreOutcome> {
  const until = ports.now() + budget
  let restored = 0
  let refused = 0
  let complete = true
  if (existsSync(path)) {
    for await (const lines of batches(path)) {
      if (ports.now() >= until) {
        complete = false
        break
      }
      const taken = await restoreBatch(lines, ports)
      restored += taken
      refused += lines.length - taken
    }
  }
  return { restored, refused, complete }
}

async function* batches(path: string): AsyncIterable<string[]> {
  let lines: string[] = []
  let characters = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    lines.push(line)
    characters += line.length
    if (characters < charactersPerBatch) continue
    yield lines
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield lines
}

/** Adds the transactions of some lines; returns how many were accepted. */
async function restoreBatch(lines: readonly string[], { pool, recover, now }: RestorePorts): Promise<number> {
  const saved = lines.map(fromLine).filter((entry) => entry !== undefined)
  await recoverSenders(
    saved.map(({ tx }) => tx),
    recover,
  )
  let taken = 0
  for (const { tx, sidecar, local } of saved) if (pool.add(tx, { local, now: now(), sidecar }) === undefined) taken++
  return taken
}
