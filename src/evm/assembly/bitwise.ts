// AND … CLZ. Results may overwrite operands.
import { clear, set, setLimbs, upper } from './word';

@inline
export function and(to: usize, a: usize, b: usize): void {
  v128.store(to, v128.and(v128.load(a), v128.load(b)));
  v128.store(to, v128.and(v128.load(a, 16), v128.load(b, 16)), 16);
}

@inline
export function or(to: usize, a: usize, b: usize): void {
  v128.store(to, v128.or(v128.load(a), v128.load(b)));
  v128.store(to, v128.or(v128.load(a, 16), v128.load(b, 16)), 16);
}

@inline
export function xor(to: usize, a: usize, b: usize): void {
  v128.store(to, v128.xor(v128.load(a), v128.load(b)));
  v128.store(to, v128.xor(v128.load(a, 16), v128.load(b, 16)), 16);
}

@inline
export function not(at: usize): void {
  v128.store(at, v128.not(v128.load(at)));
  v128.store(at, v128.not(v128.load(at, 16)), 16);
}

/** Returns the i-th byte from the left. */
@inline
export function byteAt(to: usize, i: usize, x: usize): void {
  const n = load<u64>(i);
  set(to, upper(i) != 0 || n > 31 ? 0 : u64(load<u8>(x + usize(31 - n))));
}

export function shiftLeft(to: usize, shift: usize, x: usize): void {
  const n = load<u64>(shift);
  if (upper(shift) != 0 || n > 255) return clear(to);
  const limbs = n >> 6, bits = n & 63;
  let a0 = load<u64>(x), a1 = load<u64>(x, 8), a2 = load<u64>(x, 16), a3 = load<u64>(x, 24);
  if (limbs & 1) {
    a3 = a2;
    a2 = a1;
    a1 = a0;
    a0 = 0;
  }
  if (limbs & 2) {
    a3 = a1;
    a2 = a0;
    a1 = 0;
    a0 = 0;
  }
  if (bits) {
    const back = 64 - bits;
    a3 = (a3 << bits) | (a2 >> back);
    a2 = (a2 << bits) | (a1 >> back);
    a1 = (a1 << bits) | (a0 >> back);
    a0 <<= bits;
  }
  setLimbs(to, a0, a1, a2, a3);
}

/** Shifts right and fills with `fill`: all zeros or all ones. */
@inline
function shiftDown(to: usize, shift: usize, x: usize, fill: u64): void {
  const n = load<u64>(shift);
  if (upper(shift) != 0 || n > 255) {
    setLimbs(to, fill, fill, fill, fill);
    return;
  }
  const limbs = n >> 6, bits = n & 63;
  let a0 = load<u64>(x), a1 = load<u64>(x, 8), a2 = load<u64>(x, 16), a3 = load<u64>(x, 24);
  if (limbs & 1) {
    a0 = a1;
    a1 = a2;
    a2 = a3;
    a3 = fill;
  }
  if (limbs & 2) {
    a0 = a2;
    a1 = a3;
    a2 = fill;
    a3 = fill;
  }
  if (bits) {
    const back = 64 - bits;
    a0 = (a0 >> bits) | (a1 << back);
    a1 = (a1 >> bits) | (a2 << back);
    a2 = (a2 >> bits) | (a3 << back);
    a3 = (a3 >> bits) | (fill << back);
  }
  setLimbs(to, a0, a1, a2, a3);
}

export function shiftRight(to: usize, shift: usize, x: usize): void {
  shiftDown(to, shift, x, 0);
}

export function shiftRightSigned(to: usize, shift: usize, x: usize): void {
  shiftDown(to, shift, x, u64(load<i64>(x, 24) >> 63));
}

/** Counts the leading zero bits; 256 for 0. */
export function countLeadingZeros(at: usize): void {
  let zeros: u64 = 0;
  for (let i = 24; i >= 0; i -= 8) {
    const limb = load<u64>(at + i);
    zeros += clz(limb);
    if (limb) break;
  }
  set(at, zeros);
}
