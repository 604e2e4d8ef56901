// PUSH9 … PUSH31, and SWAP.
import { swap } from './word';

/** Reads the `n` big-endian bytes at `from`, 8 < n < 32. Bytes that are read before them are cut off. */
export function pushBytes(to: usize, from: usize, n: usize): void {
  swap(to, from + n - 32);
  const whole = n >> 3;
  const bits = u64(n & 7) << 3;
  store<u64>(to + (whole << 3), bits ? load<u64>(to + (whole << 3)) & (((<u64>1) << bits) - 1) : 0);
  for (let i = whole + 1; i < 4; i++) store<u64>(to + (i << 3), 0);
}

@inline
export function exchange(a: usize, b: usize): void {
  const a0 = v128.load(a), a1 = v128.load(a, 16);
  const b0 = v128.load(b), b1 = v128.load(b, 16);
  v128.store(a, b0);
  v128.store(a, b1, 16);
  v128.store(b, a0);
  v128.store(b, a1, 16);
}
