// Versioned hashes of the transaction's blobs.
import { reallocate } from './heap';
import { clear, copy, upper } from './word';

let hashes: usize = 0;
let room: u32 = 0;
let count: u32 = 0;

/** Returns the address to write `n` words to. */
export function blobHashesAt(n: u32): usize {
  count = n;
  if (n > room) {
    hashes = reallocate(hashes, 0, room << 5, n << 5);
    room = n;
  }
  return hashes;
}

/** BLOBHASH: replaces the index by the hash. */
export function blobHash(at: usize): void {
  const i = load<u64>(at);
  if (upper(at) != 0 || i >= u64(count)) clear(at);
  else copy(at, hashes + (usize(i) << 5));
}
