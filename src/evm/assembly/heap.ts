// Blocks of linear memory in powers of two; freed blocks are in a list per size. Linear memory never shrinks, so all
// structures allocate their memory here and free it.

import { hostExhausted } from './host';

const SMALLEST: u32 = 8;
const FREE = memory.data(32 * 4);

/** Below 2^32. JavaScript sees addresses from 2^31 on as negative numbers: see linearMemory.ts. */
const MOST: u64 = 0xfff00000;

/** Larger blocks are not rounded up and never freed: an instance of that size is replaced by a new one. */
const HUGE: usize = 1 << 28;

let top: usize = (__heap_base + 63) & ~63;

@inline
function sizeClass(bytes: usize): u32 {
  return max(SMALLEST, 32 - u32(clz(u32(bytes - 1))));
}

/** Returns the size that `allocate` reserves for a request. */
@inline
export function blockBytes(bytes: usize): usize {
  return (<usize>1) << sizeClass(bytes);
}

/** Returns a block of at least `bytes` (more than 1, at most 2^31), not cleared. */
export function allocate(bytes: usize): usize {
  if (bytes > HUGE) return reserve(bytes);
  const size = sizeClass(bytes);
  const list = FREE + (usize(size) << 2);
  const free = load<u32>(list);
  if (free) {
    store<u32>(list, load<u32>(free));
    return free;
  }
  return reserve((<usize>1) << size);
}

/** Frees a block; `bytes` is the requested size, or `blockBytes` of it. */
export function release(block: usize, bytes: usize): void {
  if (bytes > HUGE) return;
  const list = FREE + (usize(sizeClass(bytes)) << 2);
  store<u32>(block, load<u32>(list));
  store<u32>(list, u32(block));
}

/**
 * Returns memory that is never freed; pages that are not written to cost nothing. If there is none left, TypeScript throws: what a
 * transaction does must not depend on the machine.
 */
export function reserve(bytes: usize): usize {
  const end = u64(top) + u64(bytes);
  const have = u64(memory.size()) << 16;
  if (end > have) {
    const pages = i32((end - have + 0xffff) >> 16);
    if (end > MOST || (memory.grow(max(pages, 64)) < 0 && memory.grow(pages) < 0)) hostExhausted();
  }
  const block = top;
  top = usize((end + 63) & ~63);
  return block;
}

/** Returns a block of `bytes` that begins with the `used` bytes of an old one, which is freed. */
export function reallocate(block: usize, used: usize, bytes: usize, wanted: usize): usize {
  const next = allocate(wanted);
  memory.copy(next, block, used);
  if (block) release(block, bytes);
  return next;
}
