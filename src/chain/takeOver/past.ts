import { blockNumberLength, readBlockNumber, writeBlockNumber } from '../../store/codec.ts'
import { meta } from '../../store/schema.ts'
import type { Reader, Transaction } from '../../store/table.ts'

const key = 'past'

/**
 * What there is of the blocks before the head. Their headers are all there; bodies and receipts may be missing of the lower ones,
 * those of the genesis block never are. A block without transactions follows from its header.
 */
export interface Past {
  /** The lowest block with all blocks from it on. */
  readonly first: number
  /** The lowest block that is to come; `first`, where no more come. */
  readonly wanted: number
  /** Blocks below this one have headers whose seals were not all checked: they are not passed on to peers. */
  readonly sealed: number
  /** Blocks that came in a minute lately; 0 if that is not known. */
  readonly perMinute: number
}

const fields = ['first', 'wanted', 'sealed', 'perMinute'] as const satisfies readonly (keyof Past)[]

/** Undefined where all blocks are there. */
export function readPast(reader: Reader): Past | undefined {
  const stored = reader.peek(meta, key)
  return stored && decodePast(stored)
}

/** Whether a chain has not only the header of the block of this number. */
export function isHere({ past }: { readonly past: Past | undefined }, number: bigint): boolean {
  return past === undefined || number >= past.first
}

export function writePast(txn: Transaction, past: Past): void {
  if (past.first <= 1 && past.sealed <= 1) txn.remove(meta, key)
  else txn.put(meta, key, encodePast(past))
}

function encodePast(past: Past): Uint8Array {
  const out = new Uint8Array(fields.length * blockNumberLength)
  for (const [i, field] of fields.entries()) writeBlockNumber(out, i * blockNumberLength, past[field])
  return out
}

/** Throws if the bytes are none of a past. */
export function decodePast(stored: Uint8Array): Past {
  if (stored.length !== fields.length * blockNumberLength) throw new Error('the database is damaged: its past')
  const at = (i: number) => readBlockNumber(stored, i * blockNumberLength)
  return { first: at(0), wanted: at(1), sealed: at(2), perMinute: at(3) }
}
