// Entries of one size, in chunks that never move, so that entries can point to each other.
import { reallocate, reserve } from './heap';

const ENTRY_BYTES = 0;
const COUNT = 4;
const CHUNKS = 8;
const TABLE = 12;
const TABLE_ROOM = 16;
export const POOL_BYTES = 20;

const PER_CHUNK_BITS: u32 = 8;
const PER_CHUNK: u32 = 1 << PER_CHUNK_BITS;

@inline
export function openPool(pool: usize, entryBytes: u32): void {
  store<u32>(pool, entryBytes, ENTRY_BYTES);
}

@inline
export function countOf(pool: usize): u32 {
  return load<u32>(pool, COUNT);
}

@inline
export function entryOf(pool: usize, i: u32): usize {
  const chunk = load<u32>(load<u32>(pool, TABLE) + ((i >> PER_CHUNK_BITS) << 2));
  return chunk + (i & (PER_CHUNK - 1)) * load<u32>(pool, ENTRY_BYTES);
}

/** Returns a new entry, cleared. */
export function takeEntry(pool: usize): usize {
  const i = countOf(pool);
  const bytes = load<u32>(pool, ENTRY_BYTES);
  if (i >> PER_CHUNK_BITS == load<u32>(pool, CHUNKS)) addChunk(pool, bytes);
  store<u32>(pool, i + 1, COUNT);
  const entry = entryOf(pool, i);
  memory.fill(entry, 0, bytes);
  return entry;
}

function addChunk(pool: usize, entryBytes: u32): void {
  const chunks = load<u32>(pool, CHUNKS);
  const room = load<u32>(pool, TABLE_ROOM);
  if (chunks == room) {
    const more = max(room << 1, 64);
    store<u32>(pool, u32(reallocate(load<u32>(pool, TABLE), room << 2, room << 2, more << 2)), TABLE);
    store<u32>(pool, more, TABLE_ROOM);
  }
  store<u32>(load<u32>(pool, TABLE) + (chunks << 2), u32(reserve(entryBytes << PER_CHUNK_BITS)));
  store<u32>(pool, chunks + 1, CHUNKS);
}

/** Frees all entries and keeps their memory for new ones. */
@inline
export function emptyPool(pool: usize): void {
  store<u32>(pool, 0, COUNT);
}
