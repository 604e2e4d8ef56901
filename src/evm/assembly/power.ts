// EXP: square and multiply from the exponent's lowest bit; the last squaring is not needed.
import { high, highOfSquare } from './multiply';
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
  if ((l1 | l2 | l3) != 0) return powerInLimbs(to, b, l1, l2, l3, 1, exponent, 0, length);
  let r: u64 = 1;
  // Single limbs as long as they suffice, as for the units of tokens.
  for (let i: u32 = 0; i < length; i++) {
    const isSet = bitOf(exponent, i), isLast = i + 1 == length;
    if ((!isLast && b >> 32 != 0) || (isSet && high(r, b) != 0)) {
      return powerInLimbs(to, b, 0, 0, 0, r, exponent, i, length);
    }
    if (isSet) r *= b;
    if (!isLast) b *= b;
  }
  set(to, r);
}

/** to = r · base to the power of the bits from `i` on */
function powerInLimbs(
  to: usize, b0: u64, b1: u64, b2: u64, b3: u64, r: u64, exponent: usize, i: u32, length: u32,
): void {
  let r0 = r, r1: u64 = 0, r2: u64 = 0, r3: u64 = 0;
  let isOne = r == 1;
  for (; i < length; i++) {
    if (bitOf(exponent, i)) {
      if (isOne) {
        isOne = false;
        r0 = b0;
        r1 = b1;
        r2 = b2;
        r3 = b3;
      } else {
        let p1 = high(r0, b0);
        let t = r0 * b1;
        p1 += t;
        let p2 = high(r0, b1) + u64(p1 < t);
        t = r1 * b0;
        p1 += t;
        t = high(r1, b0) + u64(p1 < t);
        p2 += t;
        let p3 = u64(p2 < t);
        t = r0 * b2;
        p2 += t;
        p3 += high(r0, b2) + u64(p2 < t);
        t = r1 * b1;
        p2 += t;
        p3 += high(r1, b1) + u64(p2 < t);
        t = r2 * b0;
        p2 += t;
        p3 += high(r2, b0) + u64(p2 < t);
        r3 = p3 + r0 * b3 + r1 * b2 + r2 * b1 + r3 * b0;
        r0 *= b0;
        r1 = p1;
        r2 = p2;
      }
    }
    if (i + 1 == length) break;
    // Products of different limbs count twice.
    const low = b0 * b1, second = b0 * b2;
    const middle = high(b0, b1) + second;
    const upper = high(b0, b2) + u64(middle < second) + b0 * b3 + b1 * b2;
    const s1 = highOfSquare(b0), s2 = b1 * b1;
    b3 = ((upper << 1) | (middle >> 63)) + highOfSquare(b1);
    b2 = ((middle << 1) | (low >> 63)) + s2;
    b3 += u64(b2 < s2);
    b1 = (low << 1) + s1;
    const carry = u64(b1 < s1);
    b2 += carry;
    b3 += u64(b2 < carry);
    b0 *= b0;
  }
  setLimbs(to, r0, r1, r2, r3);
}
