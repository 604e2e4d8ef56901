import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Fault } from '../primitives/fault.ts'
import type { RecoverPool } from '../primitives/recoverPool.ts'
import { decodeRlp, encodeRlp, rlpBytes } from '../primitives/rlp.ts'
import { writeFileAtomically } from '../primitives/writeFileAtomically.ts'
import { decodeNetworkTx, encodeNetworkTx, type NetworkTx } from '../types/blobSidecar.ts'
import type { PoolEntry } from './entry.ts'
import type { Pool } from './pool.ts'
import { recoverSenders } from './recoverSenders.ts'

/** Characters that are written, or read and checked, in one go: blobs make long lines. */
const charactersPerBatch = 1 << 18

/** One transaction per line as Besu writes it: `l` or `r` for local or remote, then Base64 of the RLP item. */
function toLine({ tx, sidecar, local }: PoolEntry): string {
  const bytes = encodeNetworkTx(tx, sidecar)
  // Typed transactions are byte strings inside RLP, legacy ones are lists already.
  const item = tx.type === 0 ? bytes : encodeRlp(bytes)
  return `${local ? 'l' : 'r'}${Buffer.from(item).toString('base64')}\n`
}

interface Saved extends NetworkTx {
  readonly local: boolean
}

/** Undefined for a line that holds no transaction. */
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

/** Writes the pool's transactions; a crash at any moment leaves all of it or what was there before. */
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
  /** No longer valid, or not readable. */
  readonly refused: number
  /** False when the time was up before the end of the file. */
  readonly complete: boolean
}

/** Puts what was saved through the same checks as anything new, for `budget` milliseconds at most. No file is no transactions. */
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

/** How many of the lines' transactions the pool took. */
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
