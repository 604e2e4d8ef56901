// Products. WebAssembly has no 64 × 64 → 128 bit multiplication: `high` puts the upper half together from 32-bit parts.
import { setLimbs } from './word';

/** Upper 64 bits of a product. */
@inline
export function high(a: u64, b: u64): u64 {
  const al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  const low = al * bl, cross1 = al * bh, cross2 = ah * bl;
  const middle = (low >> 32) + (cross1 & 0xffffffff) + (cross2 & 0xffffffff);
  return ah * bh + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32);
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

/** to = a² mod 2^256, with the mixed products computed once. */
export function square(to: usize, a: usize): void {
  const a0 = load<u64>(a), a1 = load<u64>(a, 8), a2 = load<u64>(a, 16), a3 = load<u64>(a, 24);
  const l1 = a0 * a1, h1 = high(a0, a1);
  const l2 = a0 * a2, h2 = high(a0, a2);
  const twice1 = l1 << 1;
  const r1 = high(a0, a0) + twice1;
  const carry1 = u64(r1 < twice1);
  const twiceH1 = (h1 << 1) | (l1 >> 63);
  let r2 = a1 * a1 + twiceH1;
  let r3 = high(a1, a1) + (h1 >> 63) + u64(r2 < twiceH1);
  r2 += carry1;
  r3 += u64(r2 < carry1);
  const twice2 = l2 << 1;
  r2 += twice2;
  r3 += u64(r2 < twice2) + ((h2 << 1) | (l2 >> 63)) + ((a0 * a3 + a1 * a2) << 1);
  setLimbs(to, a0 * a0, r1, r2, r3);
}

/** The 512-bit product, 64 bytes at `to`, which overlaps neither factor. */
export function multiplyWide(to: usize, a: usize, b: usize): void {
  memory.fill(to, 0, 64);
  for (let i: usize = 0; i < 32; i += 8) {
    const ai = load<u64>(a + i);
    if (ai == 0) continue;
    let carry: u64 = 0;
    for (let j: usize = 0; j < 32; j += 8) {
      const bj = load<u64>(b + j);
      let low = ai * bj;
      let up = high(ai, bj);
      low += carry;
      up += u64(low < carry);
      const old = load<u64>(to + i + j);
      low += old;
      up += u64(low < old);
      store<u64>(to + i + j, low);
      carry = up;
    }
    store<u64>(to + i + 32, carry);
  }
}
