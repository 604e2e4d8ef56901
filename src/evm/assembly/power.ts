// EXP: square and multiply from the exponent's lowest bit; the last squaring is not needed.
import { high } from './multiply';
import { clear, set, setLimbs } from './word';

/** Significant bits of a word. */
function bitLength(at: usize): u32 {
  for (let i = 24; i >= 0; i -= 8) {
    const limb = load<u64>(at + i);
    if (limb) return u32(i << 3) + 64 - u32(clz(limb));
  }
  return 0;
}

@inline
function bitOf(at: usize, i: u32): bool {
  return ((load<u8>(at + (i >> 3)) >> u8(i & 7)) & 1) != 0;
}

/** to = base to the power of exponent, modulo 2^256 */
export function power(to: usize, base: usize, exponent: usize): void {
  const length = bitLength(exponent);
  let b = load<u64>(base);
  const l1 = load<u64>(base, 8), l2 = load<u64>(base, 16), l3 = load<u64>(base, 24);
  // An even base to the power of 256 or more has 256 factors 2.
  if (length > 8 && (b & 1) == 0) return clear(to);
  if ((l1 | l2 | l3) != 0) return powerInDigits(to, b, l1, l2, l3, 1, exponent, 0, length);
  let r: u64 = 1;
  // Single limbs as long as they suffice, as for the units of tokens.
  for (let i: u32 = 0; i < length; i++) {
    const isSet = bitOf(exponent, i), isLast = i + 1 == length;
    if ((!isLast && b >> 32 != 0) || (isSet && high(r, b) != 0)) {
      return powerInDigits(to, b, 0, 0, 0, r, exponent, i, length);
    }
    if (isSet) r *= b;
    if (!isLast) b *= b;
  }
  set(to, r);
}

const BITS: u64 = 29;
const MASK: u64 = 0x1fffffff;

/**
 * to = r · base to the power of the bits from `i` on. Nine digits of 29 bits: the products of a column are added up in 64 bits
 * without carrying.
 */
function powerInDigits(
  to: usize, l0: u64, l1: u64, l2: u64, l3: u64, r: u64, exponent: usize, i: u32, length: u32,
): void {
  let b0 = l0 & MASK, b1 = (l0 >> 29) & MASK, b2 = ((l0 >> 58) | (l1 << 6)) & MASK;
  let b3 = (l1 >> 23) & MASK, b4 = ((l1 >> 52) | (l2 << 12)) & MASK, b5 = (l2 >> 17) & MASK;
  let b6 = ((l2 >> 46) | (l3 << 18)) & MASK, b7 = (l3 >> 11) & MASK, b8 = l3 >> 40;
  let r0 = r & MASK, r1 = (r >> 29) & MASK, r2 = r >> 58, r3: u64 = 0, r4: u64 = 0;
  let r5: u64 = 0, r6: u64 = 0, r7: u64 = 0, r8: u64 = 0;
  for (; i < length; i++) {
    if (bitOf(exponent, i)) {
      const c0 = r0 * b0;
      const c1 = r0 * b1 + r1 * b0 + (c0 >> BITS);
      const c2 = r0 * b2 + r1 * b1 + r2 * b0 + (c1 >> BITS);
      const c3 = r0 * b3 + r1 * b2 + r2 * b1 + r3 * b0 + (c2 >> BITS);
      const c4 = r0 * b4 + r1 * b3 + r2 * b2 + r3 * b1 + r4 * b0 + (c3 >> BITS);
      const c5 = r0 * b5 + r1 * b4 + r2 * b3 + r3 * b2 + r4 * b1 + r5 * b0 + (c4 >> BITS);
      const c6 = r0 * b6 + r1 * b5 + r2 * b4 + r3 * b3 + r4 * b2 + r5 * b1 + r6 * b0 + (c5 >> BITS);
      const c7 = r0 * b7 + r1 * b6 + r2 * b5 + r3 * b4 + r4 * b3 + r5 * b2 + r6 * b1 + r7 * b0 + (c6 >> BITS);
      const c8 = r0 * b8 + r1 * b7 + r2 * b6 + r3 * b5 + r4 * b4 + r5 * b3 + r6 * b2 + r7 * b1 + r8 * b0 + (c7 >> BITS);
      r0 = c0 & MASK;
      r1 = c1 & MASK;
      r2 = c2 & MASK;
      r3 = c3 & MASK;
      r4 = c4 & MASK;
      r5 = c5 & MASK;
      r6 = c6 & MASK;
      r7 = c7 & MASK;
      r8 = c8 & MASK;
    }
    if (i + 1 == length) break;
    const d0 = b0 << 1, d1 = b1 << 1, d2 = b2 << 1, d3 = b3 << 1;
    const d4 = b4 << 1, d5 = b5 << 1, d6 = b6 << 1, d7 = b7 << 1;
    const s0 = b0 * b0;
    const s1 = d0 * b1 + (s0 >> BITS);
    const s2 = d0 * b2 + b1 * b1 + (s1 >> BITS);
    const s3 = d0 * b3 + d1 * b2 + (s2 >> BITS);
    const s4 = d0 * b4 + d1 * b3 + b2 * b2 + (s3 >> BITS);
    const s5 = d0 * b5 + d1 * b4 + d2 * b3 + (s4 >> BITS);
    const s6 = d0 * b6 + d1 * b5 + d2 * b4 + b3 * b3 + (s5 >> BITS);
    const s7 = d0 * b7 + d1 * b6 + d2 * b5 + d3 * b4 + (s6 >> BITS);
    const s8 = d0 * b8 + d1 * b7 + d2 * b6 + d3 * b5 + b4 * b4 + (s7 >> BITS);
    b0 = s0 & MASK;
    b1 = s1 & MASK;
    b2 = s2 & MASK;
    b3 = s3 & MASK;
    b4 = s4 & MASK;
    b5 = s5 & MASK;
    b6 = s6 & MASK;
    b7 = s7 & MASK;
    b8 = s8 & MASK;
  }
  setLimbs(
    to,
    r0 | (r1 << 29) | (r2 << 58),
    (r2 >> 6) | (r3 << 23) | (r4 << 52),
    (r4 >> 12) | (r5 << 17) | (r6 << 46),
    (r6 >> 18) | (r7 << 11) | (r8 << 40),
  );
}
