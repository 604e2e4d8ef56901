// A hash table: an array of chain heads. The hash is a sum of products with secret random factors, so that nobody can
// choose addresses or slots that all fall into one chain.
import { allocate, release } from './heap';

const FIRST_BITS: u32 = 10;

export const HEADS = 0; // u32, address of the heads
export const BITS = 4; // u32, logarithm of their number
export const INDEX_BYTES = 8;

let factor0: u64 = 0;
let factor1: u64 = 0;
let factor2: u64 = 0;
let factor3: u64 = 0;
let factor4: u64 = 0;

export function setHashFactors(a: u64, b: u64, c: u64, d: u64, e: u64): void {
  factor0 = a;
  factor1 = b;
  factor2 = c;
  factor3 = d;
  factor4 = e;
}

@inline
export function addressHash(l0: u64, l1: u64, l2: u32): u64 {
  return l0 * factor0 + l1 * factor1 + u64(l2) * factor2;
}

/** Returns the hash of a slot, from its account's entry and its key. */
@inline
export function slotHash(account: usize, key: usize): u64 {
  return (
    load<u64>(key) * factor0 +
    load<u64>(key, 8) * factor1 +
    load<u64>(key, 16) * factor2 +
    load<u64>(key, 24) * factor3 +
    u64(account) * factor4
  );
}

/** Returns the address of the chain head for the hash. */
@inline
export function headOf(index: usize, hash: u64): usize {
  return usize(load<u32>(index, HEADS)) + (usize(hash >> (64 - u64(load<u32>(index, BITS)))) << 2);
}

/** Clears the table and shrinks it to few heads, so that the next clearing is cheap. */
export function clearIndex(index: usize): void {
  resizeIndex(index, FIRST_BITS);
}

/** Whether `count` entries need twice the heads. */
@inline
export function isCrowded(index: usize, count: u32): bool {
  return count > (<u32>1) << load<u32>(index, BITS);
}

/** Changes the number of heads and clears them: the caller adds its entries again. */
export function resizeIndex(index: usize, bits: u32): void {
  const heads = load<u32>(index, HEADS);
  const bytes: usize = (<usize>4) << bits;
  if (!heads || load<u32>(index, BITS) != bits) {
    if (heads) release(heads, (<usize>4) << load<u32>(index, BITS));
    store<u32>(index, u32(allocate(bytes)), HEADS);
    store<u32>(index, bits, BITS);
  }
  memory.fill(load<u32>(index, HEADS), 0, bytes);
}
