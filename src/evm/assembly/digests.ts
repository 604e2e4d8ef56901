// Digests of 64 bytes that were computed before. Contracts hash little else: a key and the slot of a mapping; and the
// same accounts come again in the next transaction.
import { keccak } from '../../primitives/assembly/keccak';
import { slotHash } from './hash';
import { allocate } from './heap';
import { copy, equal, isZero, swap } from './word';

const BITS: u64 = 10;
const DIGEST: usize = 64;
const ENTRY_BYTES: usize = 96;

let entries: usize = 0;

/** Writes the digest of 64 bytes, as a word. Each input has one place, where the last one stays. */
export function hashPair(from: usize, to: usize): void {
  if (!entries) openEntries();
  // Which entry it is need not depend on all bytes.
  const entry = entries + usize(slotHash(load<u32>(from, 60), from) >> (64 - BITS)) * ENTRY_BYTES;
  // No digest is 0: an entry with 0 was never used.
  if (equal(entry, from) && equal(entry + 32, from + 32) && !isZero(entry + DIGEST)) return copy(to, entry + DIGEST);
  keccak(from, 64, to);
  swap(to, to);
  copy(entry, from);
  copy(entry + 32, from + 32);
  copy(entry + DIGEST, to);
}

function openEntries(): void {
  const size = ENTRY_BYTES << usize(BITS);
  entries = allocate(size);
  memory.fill(entries, 0, size);
}
