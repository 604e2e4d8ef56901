// Products. WebAssembly has no 64 × 64 → 128 bit multiplication: `high` puts the upper half together from 32-bit parts.
import { setLimbs } from './word';

/** Upper 64 bits of a product. */
@inline
export function high(a: u64, b: u64): u64 {
  const al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  const first = ah * bl + ((al * bl) >> 32);
  const second = al * bh + (first & 0xffffffff);
  return ah * bh + (first >> 32) + (second >> 32);
}

/** Upper 64 bits of a square. */
@inline
export function highOfSquare(a: u64): u64 {
  const al = a & 0xffffffff, ah = a >> 32, middle = al * ah;
  const first = middle + ((al * al) >> 32);
  const second = middle + (first & 0xffffffff);
  return ah * ah + (first >> 32) + (second >> 32);
}

/** to = a · b mod 2^256 */
export function multiply(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a), a1 = load<u64>(a, 8), a2 = load<u64>(a, 16), a3 = load<u64>(a, 24);
  const b0 = load<u64>(b), b1 = load<u64>(b, 8), b2 = load<u64>(b, 16), b3 = load<u64>(b, 24);
  const r0 = a0 * b0;
  let r1 = high(a0, b0);
  if ((a1 | a2 | a3 | b1 | b2 | b3) == 0) {
    setLimbs(to, r0, r1, 0, 0);
    return;
  }
  let t = a0 * b1;
  let h = high(a0, b1);
  r1 += t;
  h += u64(r1 < t);
  let r2 = h;
  t = a1 * b0;
  h = high(a1, b0);
  r1 += t;
  h += u64(r1 < t);
  r2 += h;
  let r3 = u64(r2 < h);
  t = a0 * b2;
  r2 += t;
  r3 += high(a0, b2) + u64(r2 < t);
  t = a1 * b1;
  r2 += t;
  r3 += high(a1, b1) + u64(r2 < t);
  t = a2 * b0;
  r2 += t;
  r3 += high(a2, b0) + u64(r2 < t);
  r3 += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
  setLimbs(to, r0, r1, r2, r3);
}

/** The 512-bit product, 64 bytes at `to`, which overlaps neither factor. */
export function multiplyWide(to: usize, a: usize, b: usize): void {
  const b0 = load<u64>(b), b1 = load<u64>(b, 8), b2 = load<u64>(b, 16), b3 = load<u64>(b, 24);
  let r0: u64 = 0, r1: u64 = 0, r2: u64 = 0, r3: u64 = 0;
  // The upper half of a number is often empty.
  const end: usize = (load<u64>(a, 16) | load<u64>(a, 24)) != 0 ? 32 : 16;
  for (let i: usize = 0; i < end; i += 8) {
    const digit = load<u64>(a + i);
    let low = digit * b0;
    r0 += low;
    let carry = high(digit, b0) + u64(r0 < low);
    store<u64>(to + i, r0);
    low = digit * b1 + carry;
    carry = high(digit, b1) + u64(low < carry);
    r0 = r1 + low;
    carry += u64(r0 < low);
    low = digit * b2 + carry;
    carry = high(digit, b2) + u64(low < carry);
    r1 = r2 + low;
    carry += u64(r1 < low);
    low = digit * b3 + carry;
    carry = high(digit, b3) + u64(low < carry);
    r2 = r3 + low;
    r3 = carry + u64(r2 < low);
  }
  setLimbs(to + end, r0, r1, r2, r3);
  if (end == 16) {
    store<u64>(to, 0, 48);
    store<u64>(to, 0, 56);
  }
}
