// Montgomery products of numbers of up to 256 bits in nine digits of 29 bits, least first, in 32 bits each: products of digits
// leave room for eighteen of them in 64 bits, so that a column is added up without carrying. R is 2^261, more than four times
// the modulus: what is below twice the modulus stays so without a subtraction.

const BITS: u64 = 29;
const MASK: u64 = 0x1fffffff;

/** Bits of R. */
export const FORM_BITS: i32 = 261;
/** Bytes of nine digits. */
export const NINE_DIGITS: usize = 36;

/** Replaces eight limbs of 32 bits by nine digits. */
export function toDigits(at: usize): void {
  const l0 = load<u64>(at), l1 = load<u64>(at, 8), l2 = load<u64>(at, 16), l3 = load<u64>(at, 24);
  store<u32>(at, <u32>(l0 & MASK));
  store<u32>(at, <u32>((l0 >> 29) & MASK), 4);
  store<u32>(at, <u32>(((l0 >> 58) | (l1 << 6)) & MASK), 8);
  store<u32>(at, <u32>((l1 >> 23) & MASK), 12);
  store<u32>(at, <u32>(((l1 >> 52) | (l2 << 12)) & MASK), 16);
  store<u32>(at, <u32>((l2 >> 17) & MASK), 20);
  store<u32>(at, <u32>(((l2 >> 46) | (l3 << 18)) & MASK), 24);
  store<u32>(at, <u32>((l3 >> 11) & MASK), 28);
  store<u32>(at, <u32>(l3 >> 40), 32);
}

/** Replaces nine digits of a number below 2^256 by eight limbs of 32 bits. */
export function toLimbs(at: usize): void {
  const d2 = <u64>load<u32>(at, 8), d4 = <u64>load<u32>(at, 16), d6 = <u64>load<u32>(at, 24);
  const l0 = <u64>load<u32>(at) | (<u64>load<u32>(at, 4) << 29) | (d2 << 58);
  const l1 = (d2 >> 6) | (<u64>load<u32>(at, 12) << 23) | (d4 << 52);
  const l2 = (d4 >> 12) | (<u64>load<u32>(at, 20) << 17) | (d6 << 46);
  const l3 = (d6 >> 18) | (<u64>load<u32>(at, 28) << 11) | (<u64>load<u32>(at, 32) << 40);
  store<u64>(at, l0);
  store<u64>(at, l1, 8);
  store<u64>(at, l2, 16);
  store<u64>(at, l3, 24);
}

/** to = x·y·R⁻¹ modulo the number at `n`, below twice that number; `inverse` is −n⁻¹ modulo 2³². Areas may be the same. */
export function multiplyNine(to: usize, x: usize, y: usize, n: usize, inverse: u32): void {
  const x0 = <u64>load<u32>(x), x1 = <u64>load<u32>(x, 4), x2 = <u64>load<u32>(x, 8);
  const x3 = <u64>load<u32>(x, 12), x4 = <u64>load<u32>(x, 16), x5 = <u64>load<u32>(x, 20);
  const x6 = <u64>load<u32>(x, 24), x7 = <u64>load<u32>(x, 28), x8 = <u64>load<u32>(x, 32);
  let c0: u64, c1: u64, c2: u64, c3: u64, c4: u64, c5: u64, c6: u64, c7: u64, c8: u64;
  let c9: u64, c10: u64, c11: u64, c12: u64, c13: u64, c14: u64, c15: u64, c16: u64;
  if (x == y) {
    const t0 = x0 << 1, t1 = x1 << 1, t2 = x2 << 1, t3 = x3 << 1;
    const t4 = x4 << 1, t5 = x5 << 1, t6 = x6 << 1, t7 = x7 << 1;
    c0 = x0 * x0;
    c1 = t0 * x1;
    c2 = t0 * x2 + x1 * x1;
    c3 = t0 * x3 + t1 * x2;
    c4 = t0 * x4 + t1 * x3 + x2 * x2;
    c5 = t0 * x5 + t1 * x4 + t2 * x3;
    c6 = t0 * x6 + t1 * x5 + t2 * x4 + x3 * x3;
    c7 = t0 * x7 + t1 * x6 + t2 * x5 + t3 * x4;
    c8 = t0 * x8 + t1 * x7 + t2 * x6 + t3 * x5 + x4 * x4;
    c9 = t1 * x8 + t2 * x7 + t3 * x6 + t4 * x5;
    c10 = t2 * x8 + t3 * x7 + t4 * x6 + x5 * x5;
    c11 = t3 * x8 + t4 * x7 + t5 * x6;
    c12 = t4 * x8 + t5 * x7 + x6 * x6;
    c13 = t5 * x8 + t6 * x7;
    c14 = t6 * x8 + x7 * x7;
    c15 = t7 * x8;
    c16 = x8 * x8;
  } else {
    const y0 = <u64>load<u32>(y), y1 = <u64>load<u32>(y, 4), y2 = <u64>load<u32>(y, 8);
    const y3 = <u64>load<u32>(y, 12), y4 = <u64>load<u32>(y, 16), y5 = <u64>load<u32>(y, 20);
    const y6 = <u64>load<u32>(y, 24), y7 = <u64>load<u32>(y, 28), y8 = <u64>load<u32>(y, 32);
    c0 = x0 * y0;
    c1 = x0 * y1 + x1 * y0;
    c2 = x0 * y2 + x1 * y1 + x2 * y0;
    c3 = x0 * y3 + x1 * y2 + x2 * y1 + x3 * y0;
    c4 = x0 * y4 + x1 * y3 + x2 * y2 + x3 * y1 + x4 * y0;
    c5 = x0 * y5 + x1 * y4 + x2 * y3 + x3 * y2 + x4 * y1 + x5 * y0;
    c6 = x0 * y6 + x1 * y5 + x2 * y4 + x3 * y3 + x4 * y2 + x5 * y1 + x6 * y0;
    c7 = x0 * y7 + x1 * y6 + x2 * y5 + x3 * y4 + x4 * y3 + x5 * y2 + x6 * y1 + x7 * y0;
    c8 = x0 * y8 + x1 * y7 + x2 * y6 + x3 * y5 + x4 * y4 + x5 * y3 + x6 * y2 + x7 * y1 + x8 * y0;
    c9 = x1 * y8 + x2 * y7 + x3 * y6 + x4 * y5 + x5 * y4 + x6 * y3 + x7 * y2 + x8 * y1;
    c10 = x2 * y8 + x3 * y7 + x4 * y6 + x5 * y5 + x6 * y4 + x7 * y3 + x8 * y2;
    c11 = x3 * y8 + x4 * y7 + x5 * y6 + x6 * y5 + x7 * y4 + x8 * y3;
    c12 = x4 * y8 + x5 * y7 + x6 * y6 + x7 * y5 + x8 * y4;
    c13 = x5 * y8 + x6 * y7 + x7 * y6 + x8 * y5;
    c14 = x6 * y8 + x7 * y7 + x8 * y6;
    c15 = x7 * y8 + x8 * y7;
    c16 = x8 * y8;
  }
  const n0 = <u64>load<u32>(n), n1 = <u64>load<u32>(n, 4), n2 = <u64>load<u32>(n, 8);
  const n3 = <u64>load<u32>(n, 12), n4 = <u64>load<u32>(n, 16), n5 = <u64>load<u32>(n, 20);
  const n6 = <u64>load<u32>(n, 24), n7 = <u64>load<u32>(n, 28), n8 = <u64>load<u32>(n, 32);
  const factor = <u64>inverse;
  const q0 = (c0 * factor) & MASK;
  c1 += q0 * n1 + ((c0 + q0 * n0) >> BITS);
  c2 += q0 * n2;
  c3 += q0 * n3;
  c4 += q0 * n4;
  c5 += q0 * n5;
  c6 += q0 * n6;
  c7 += q0 * n7;
  c8 += q0 * n8;
  const q1 = (c1 * factor) & MASK;
  c2 += q1 * n1 + ((c1 + q1 * n0) >> BITS);
  c3 += q1 * n2;
  c4 += q1 * n3;
  c5 += q1 * n4;
  c6 += q1 * n5;
  c7 += q1 * n6;
  c8 += q1 * n7;
  c9 += q1 * n8;
  const q2 = (c2 * factor) & MASK;
  c3 += q2 * n1 + ((c2 + q2 * n0) >> BITS);
  c4 += q2 * n2;
  c5 += q2 * n3;
  c6 += q2 * n4;
  c7 += q2 * n5;
  c8 += q2 * n6;
  c9 += q2 * n7;
  c10 += q2 * n8;
  const q3 = (c3 * factor) & MASK;
  c4 += q3 * n1 + ((c3 + q3 * n0) >> BITS);
  c5 += q3 * n2;
  c6 += q3 * n3;
  c7 += q3 * n4;
  c8 += q3 * n5;
  c9 += q3 * n6;
  c10 += q3 * n7;
  c11 += q3 * n8;
  const q4 = (c4 * factor) & MASK;
  c5 += q4 * n1 + ((c4 + q4 * n0) >> BITS);
  c6 += q4 * n2;
  c7 += q4 * n3;
  c8 += q4 * n4;
  c9 += q4 * n5;
  c10 += q4 * n6;
  c11 += q4 * n7;
  c12 += q4 * n8;
  const q5 = (c5 * factor) & MASK;
  c6 += q5 * n1 + ((c5 + q5 * n0) >> BITS);
  c7 += q5 * n2;
  c8 += q5 * n3;
  c9 += q5 * n4;
  c10 += q5 * n5;
  c11 += q5 * n6;
  c12 += q5 * n7;
  c13 += q5 * n8;
  const q6 = (c6 * factor) & MASK;
  c7 += q6 * n1 + ((c6 + q6 * n0) >> BITS);
  c8 += q6 * n2;
  c9 += q6 * n3;
  c10 += q6 * n4;
  c11 += q6 * n5;
  c12 += q6 * n6;
  c13 += q6 * n7;
  c14 += q6 * n8;
  const q7 = (c7 * factor) & MASK;
  c8 += q7 * n1 + ((c7 + q7 * n0) >> BITS);
  c9 += q7 * n2;
  c10 += q7 * n3;
  c11 += q7 * n4;
  c12 += q7 * n5;
  c13 += q7 * n6;
  c14 += q7 * n7;
  c15 += q7 * n8;
  const q8 = (c8 * factor) & MASK;
  c9 += q8 * n1 + ((c8 + q8 * n0) >> BITS);
  c10 += q8 * n2;
  c11 += q8 * n3;
  c12 += q8 * n4;
  c13 += q8 * n5;
  c14 += q8 * n6;
  c15 += q8 * n7;
  c16 += q8 * n8;
  store<u32>(to, <u32>(c9 & MASK));
  c10 += c9 >> BITS;
  store<u32>(to, <u32>(c10 & MASK), 4);
  c11 += c10 >> BITS;
  store<u32>(to, <u32>(c11 & MASK), 8);
  c12 += c11 >> BITS;
  store<u32>(to, <u32>(c12 & MASK), 12);
  c13 += c12 >> BITS;
  store<u32>(to, <u32>(c13 & MASK), 16);
  c14 += c13 >> BITS;
  store<u32>(to, <u32>(c14 & MASK), 20);
  c15 += c14 >> BITS;
  store<u32>(to, <u32>(c15 & MASK), 24);
  c16 += c15 >> BITS;
  store<u32>(to, <u32>(c16 & MASK), 28);
  store<u32>(to, <u32>(c16 >> BITS), 32);
}
