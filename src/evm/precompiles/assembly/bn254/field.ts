// Two numbers modulo bn254's p at a time, one in each lane of a vector: five digits of 51 bits in double precision, least
// first, 16 bytes per pair of digits. WebAssembly has no product of 64 by 64 bits, but a fused multiply-add gives both
// halves of a product of two digits exactly:
//   high = a·b + C (C so large that the sum is rounded to a multiple of 2⁵¹), low = a·b − (high − C).
// Their bit patterns are added as integers; the contribution of the constants to each column is known in advance.
//
// A number n stands for n·R⁻¹ with R = 2³⁰⁶ (Montgomery's form, one digit more than p has), digits are signed. The
// results are tight: absolute values hardly above p/2, digits hardly above 2⁵⁰. All functions need tight arguments.

import { fused } from '../../../../primitives/assembly/fused';

/** Bytes of an element: a pair of numbers, or one of the quadratic extension with its real part in the first lane. */
export const ELEMENT: usize = 80;

const DIGIT_BITS: i64 = 51;
const DIGIT_MASK: u64 = 0x7ffffffffffff;
/** 1.5·2¹⁰³: a sum with it is rounded to a multiple of 2⁵¹. */
const HIGH: f64 = 15211807202738752817960438464512.0;
/** 1.5·2⁵²: the bits of a sum with it are those of an integer. */
const LOW: f64 = 6755399441055744.0;
/** The sum of both, exact because 3·2⁵¹ is a multiple of 2⁵¹. */
const BOTH: f64 = 15211807202738752817960438464512.0 + 6755399441055744.0;
/** 2⁵²: an integer below becomes a number when these bits are set. */
const UNIT: f64 = 4503599627370496.0;
/** 2⁵⁰. */
const HALF_DIGIT: f64 = 1125899906842624.0;
/** Makes columns positive before they are shifted. */
const BIAS: i64 = 1 << 62;

// Vectors of constants are loaded from memory: V8 would otherwise build each of them from two halves at every use.
const HIGHS: usize = memory.data<f64>([HIGH, HIGH], 16);
const LOWS: usize = memory.data<f64>([LOW, LOW], 16);
const BOTHS: usize = memory.data<f64>([BOTH, BOTH], 16);
const UNITS: usize = memory.data<f64>([UNIT, UNIT], 16);
const ROUNDED_UNITS: usize = memory.data<f64>([UNIT + HALF_DIGIT, UNIT + HALF_DIGIT], 16);
const MASKS: usize = memory.data<u64>([DIGIT_MASK, DIGIT_MASK], 16);
const FIRST_SIGN: usize = memory.data<u64>([0x8000000000000000, 0], 16);

/** Digits of p in both lanes. */
const P: usize = memory.data(80, 16);
/** −p⁻¹ modulo 2⁵¹, as a signed digit in both lanes. */
const INVERSE: usize = memory.data(16, 16);
/** 2²⁰⁴/p in both lanes. */
const SCALE: usize = memory.data(16, 16);
/** Initial values of the eleven columns of a product, with one product per pair of digits, or two. */
const COLUMNS: usize = memory.data(176, 16);
const COLUMNS_OF_TWO: usize = memory.data(176, 16);
/** The second factor with its lanes exchanged. */
const SWAPPED: usize = memory.data(80, 16);

/** Sets p's digits, the inverse digit and the scale. */
export function setModulus(p0: f64, p1: f64, p2: f64, p3: f64, p4: f64, inverse: f64, scale: f64): void {
  v128.store(P, f64x2.splat(p0));
  v128.store(P, f64x2.splat(p1), 16);
  v128.store(P, f64x2.splat(p2), 32);
  v128.store(P, f64x2.splat(p3), 48);
  v128.store(P, f64x2.splat(p4), 64);
  v128.store(INVERSE, f64x2.splat(inverse));
  v128.store(SCALE, f64x2.splat(scale));
  prepareColumns(COLUMNS, 1);
  prepareColumns(COLUMNS_OF_TWO, 2);
}

/** Returns the number of pairs (i, j) with i below `rows`, j below 5 and the sum `column`. */
function pairs(rows: i32, column: i32): i64 {
  let count: i64 = 0;
  for (let i = 0; i < rows; i++) count += i64(column - i >= 0 && column - i < 5);
  return count;
}

function prepareColumns(to: usize, products: i64): void {
  const low = reinterpret<i64>(LOW), high = reinterpret<i64>(HIGH);
  for (let column = 0; column < 11; column++) {
    const lows = products * pairs(5, column) + pairs(6, column);
    const highs = products * pairs(5, column - 1) + pairs(6, column - 1);
    let start = -lows * low - highs * high;
    // All but the last are shifted; the five that are the result are rounded to signed digits.
    if (column < 10) start += BIAS;
    if (column > 0) start -= BIAS >> DIGIT_BITS;
    if (column >= 6 && column < 10) start += 1 << (DIGIT_BITS - 1);
    v128.store(to + (usize(column) << 4), i64x2.splat(start));
  }
}

/** The digit q that makes a column with q·p a multiple of 2⁵¹. */
@inline
function quotient(column: v128, inverse: v128, high: v128, both: v128): v128 {
  const digit = v128.and(column, v128.load(MASKS));
  const x = f64x2.sub(v128.or(digit, v128.load(UNITS)), v128.load(UNITS));
  return f64x2.sub(fused(x, inverse, f64x2.sub(both, fused(x, inverse, high))), v128.load(LOWS));
}

/** out = x·y in each lane. */
export function multiplyLanes(out: usize, x: usize, y: usize): void {
  const high = v128.load(HIGHS), both = v128.load(BOTHS);
  const inverse = v128.load(INVERSE);
  const y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48), y4 = v128.load(y, 64);
  let t0 = v128.load(COLUMNS), t1 = v128.load(COLUMNS, 16), t2 = v128.load(COLUMNS, 32);
  let t3 = v128.load(COLUMNS, 48), t4 = v128.load(COLUMNS, 64), t5: v128, h: v128;
  for (let i: usize = 0; i < 80; i += 16) {
    const a = v128.load(x + i);
    t5 = v128.load(COLUMNS + i, 80);
    h = fused(a, y0, high);
    t0 = i64x2.add(t0, fused(a, y0, f64x2.sub(both, h)));
    t1 = i64x2.add(t1, h);
    h = fused(a, y1, high);
    t1 = i64x2.add(t1, fused(a, y1, f64x2.sub(both, h)));
    t2 = i64x2.add(t2, h);
    h = fused(a, y2, high);
    t2 = i64x2.add(t2, fused(a, y2, f64x2.sub(both, h)));
    t3 = i64x2.add(t3, h);
    h = fused(a, y3, high);
    t3 = i64x2.add(t3, fused(a, y3, f64x2.sub(both, h)));
    t4 = i64x2.add(t4, h);
    h = fused(a, y4, high);
    t4 = i64x2.add(t4, fused(a, y4, f64x2.sub(both, h)));
    t5 = i64x2.add(t5, h);

    const q = quotient(t0, inverse, high, both);
    h = fused(q, v128.load(P), high);
    t0 = i64x2.add(t0, fused(q, v128.load(P), f64x2.sub(both, h)));
    t1 = i64x2.add(i64x2.add(t1, h), i64x2.shr_u(t0, i32(DIGIT_BITS)));
    h = fused(q, v128.load(P, 16), high);
    t0 = i64x2.add(t1, fused(q, v128.load(P, 16), f64x2.sub(both, h)));
    t1 = i64x2.add(t2, h);
    h = fused(q, v128.load(P, 32), high);
    t1 = i64x2.add(t1, fused(q, v128.load(P, 32), f64x2.sub(both, h)));
    t2 = i64x2.add(t3, h);
    h = fused(q, v128.load(P, 48), high);
    t2 = i64x2.add(t2, fused(q, v128.load(P, 48), f64x2.sub(both, h)));
    t3 = i64x2.add(t4, h);
    h = fused(q, v128.load(P, 64), high);
    t3 = i64x2.add(t3, fused(q, v128.load(P, 64), f64x2.sub(both, h)));
    t4 = i64x2.add(t5, h);
  }
  finish(out, v128.load(COLUMNS, 160), t0, t1, t2, t3, t4);
}

/** out = x·y in the quadratic extension, where i² = −1. */
export function multiply(out: usize, x: usize, y: usize): void {
  const high = v128.load(HIGHS), both = v128.load(BOTHS);
  const inverse = v128.load(INVERSE), negative = v128.load(FIRST_SIGN);
  const y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48), y4 = v128.load(y, 64);
  for (let i: usize = 0; i < 80; i += 16) {
    const digits = v128.load(y + i);
    v128.store(SWAPPED + i, v128.shuffle<u64>(digits, digits, 1, 0));
  }
  let t0 = v128.load(COLUMNS_OF_TWO), t1 = v128.load(COLUMNS_OF_TWO, 16), t2 = v128.load(COLUMNS_OF_TWO, 32);
  let t3 = v128.load(COLUMNS_OF_TWO, 48), t4 = v128.load(COLUMNS_OF_TWO, 64), t5: v128, h: v128;
  for (let i: usize = 0; i < 80; i += 16) {
    const a = v128.load_splat<u64>(x + i), b = v128.xor(v128.load_splat<u64>(x + i, 8), negative);
    t5 = v128.load(COLUMNS_OF_TWO + i, 80);
    h = fused(a, y0, high);
    t0 = i64x2.add(t0, fused(a, y0, f64x2.sub(both, h)));
    t1 = i64x2.add(t1, h);
    h = fused(a, y1, high);
    t1 = i64x2.add(t1, fused(a, y1, f64x2.sub(both, h)));
    t2 = i64x2.add(t2, h);
    h = fused(a, y2, high);
    t2 = i64x2.add(t2, fused(a, y2, f64x2.sub(both, h)));
    t3 = i64x2.add(t3, h);
    h = fused(a, y3, high);
    t3 = i64x2.add(t3, fused(a, y3, f64x2.sub(both, h)));
    t4 = i64x2.add(t4, h);
    h = fused(a, y4, high);
    t4 = i64x2.add(t4, fused(a, y4, f64x2.sub(both, h)));
    t5 = i64x2.add(t5, h);

    h = fused(b, v128.load(SWAPPED), high);
    t0 = i64x2.add(t0, fused(b, v128.load(SWAPPED), f64x2.sub(both, h)));
    t1 = i64x2.add(t1, h);
    h = fused(b, v128.load(SWAPPED, 16), high);
    t1 = i64x2.add(t1, fused(b, v128.load(SWAPPED, 16), f64x2.sub(both, h)));
    t2 = i64x2.add(t2, h);
    h = fused(b, v128.load(SWAPPED, 32), high);
    t2 = i64x2.add(t2, fused(b, v128.load(SWAPPED, 32), f64x2.sub(both, h)));
    t3 = i64x2.add(t3, h);
    h = fused(b, v128.load(SWAPPED, 48), high);
    t3 = i64x2.add(t3, fused(b, v128.load(SWAPPED, 48), f64x2.sub(both, h)));
    t4 = i64x2.add(t4, h);
    h = fused(b, v128.load(SWAPPED, 64), high);
    t4 = i64x2.add(t4, fused(b, v128.load(SWAPPED, 64), f64x2.sub(both, h)));
    t5 = i64x2.add(t5, h);

    const q = quotient(t0, inverse, high, both);
    h = fused(q, v128.load(P), high);
    t0 = i64x2.add(t0, fused(q, v128.load(P), f64x2.sub(both, h)));
    t1 = i64x2.add(i64x2.add(t1, h), i64x2.shr_u(t0, i32(DIGIT_BITS)));
    h = fused(q, v128.load(P, 16), high);
    t0 = i64x2.add(t1, fused(q, v128.load(P, 16), f64x2.sub(both, h)));
    t1 = i64x2.add(t2, h);
    h = fused(q, v128.load(P, 32), high);
    t1 = i64x2.add(t1, fused(q, v128.load(P, 32), f64x2.sub(both, h)));
    t2 = i64x2.add(t3, h);
    h = fused(q, v128.load(P, 48), high);
    t2 = i64x2.add(t2, fused(q, v128.load(P, 48), f64x2.sub(both, h)));
    t3 = i64x2.add(t4, h);
    h = fused(q, v128.load(P, 64), high);
    t3 = i64x2.add(t3, fused(q, v128.load(P, 64), f64x2.sub(both, h)));
    t4 = i64x2.add(t5, h);
  }
  finish(out, v128.load(COLUMNS_OF_TWO, 160), t0, t1, t2, t3, t4);
}

/** Reduces the sixth digit and makes the digits of the other columns tight. */
@inline
function finish(out: usize, t5: v128, t0: v128, t1: v128, t2: v128, t3: v128, t4: v128): void {
  const high = v128.load(HIGHS), both = v128.load(BOTHS);
  const q = quotient(t0, v128.load(INVERSE), high, both);
  let h = fused(q, v128.load(P), high);
  t0 = i64x2.add(t0, fused(q, v128.load(P), f64x2.sub(both, h)));
  t1 = i64x2.add(i64x2.add(t1, h), i64x2.shr_u(t0, i32(DIGIT_BITS)));
  h = fused(q, v128.load(P, 16), high);
  t1 = i64x2.add(t1, fused(q, v128.load(P, 16), f64x2.sub(both, h)));
  t2 = i64x2.add(t2, h);
  h = fused(q, v128.load(P, 32), high);
  t2 = i64x2.add(t2, fused(q, v128.load(P, 32), f64x2.sub(both, h)));
  t3 = i64x2.add(t3, h);
  h = fused(q, v128.load(P, 48), high);
  t3 = i64x2.add(t3, fused(q, v128.load(P, 48), f64x2.sub(both, h)));
  t4 = i64x2.add(t4, h);
  h = fused(q, v128.load(P, 64), high);
  t4 = i64x2.add(t4, fused(q, v128.load(P, 64), f64x2.sub(both, h)));
  t5 = i64x2.add(t5, h);

  v128.store(out, digitOf(t1));
  t2 = i64x2.add(t2, i64x2.shr_u(t1, i32(DIGIT_BITS)));
  v128.store(out, digitOf(t2), 16);
  t3 = i64x2.add(t3, i64x2.shr_u(t2, i32(DIGIT_BITS)));
  v128.store(out, digitOf(t3), 32);
  t4 = i64x2.add(t4, i64x2.shr_u(t3, i32(DIGIT_BITS)));
  v128.store(out, digitOf(t4), 48);
  t5 = i64x2.add(t5, i64x2.shr_u(t4, i32(DIGIT_BITS)));
  v128.store(out, f64x2.sub(i64x2.add(t5, v128.load(LOWS)), v128.load(LOWS)), 64);
}

/** The signed digit of a column to which half a digit was added. */
@inline
function digitOf(column: v128): v128 {
  const digit = v128.or(v128.and(column, v128.load(MASKS)), v128.load(UNITS));
  return f64x2.sub(digit, v128.load(ROUNDED_UNITS));
}

/** Returns the part of a digit beyond 51 bits. */
@inline
function excess(digit: v128): v128 {
  return f64x2.sub(f64x2.add(digit, v128.load(HIGHS)), v128.load(HIGHS));
}

@inline
function tighten(out: usize, d0: v128, d1: v128, d2: v128, d3: v128, d4: v128): void {
  const down = f64x2.splat(1.0 / 2251799813685248.0);
  const times = f64x2.neg(f64x2.nearest(f64x2.mul(d4, v128.load(SCALE))));
  d0 = fused(times, v128.load(P), d0);
  d1 = fused(times, v128.load(P, 16), d1);
  d2 = fused(times, v128.load(P, 32), d2);
  d3 = fused(times, v128.load(P, 48), d3);
  d4 = fused(times, v128.load(P, 64), d4);
  const e0 = excess(d0), e1 = excess(d1), e2 = excess(d2), e3 = excess(d3);
  v128.store(out, f64x2.sub(d0, e0));
  v128.store(out, fused(e0, down, f64x2.sub(d1, e1)), 16);
  v128.store(out, fused(e1, down, f64x2.sub(d2, e2)), 32);
  v128.store(out, fused(e2, down, f64x2.sub(d3, e3)), 48);
  v128.store(out, fused(e3, down, d4), 64);
}

/** out = x + n·y in each lane, for a whole n from −4 to 4. */
export function addMultiple(out: usize, x: usize, y: usize, n: f64): void {
  const times = f64x2.splat(n);
  tighten(
    out,
    fused(times, v128.load(y), v128.load(x)),
    fused(times, v128.load(y, 16), v128.load(x, 16)),
    fused(times, v128.load(y, 32), v128.load(x, 32)),
    fused(times, v128.load(y, 48), v128.load(x, 48)),
    fused(times, v128.load(y, 64), v128.load(x, 64)),
  );
}

@inline
export function add(out: usize, x: usize, y: usize): void {
  addMultiple(out, x, y, 1);
}

@inline
export function subtract(out: usize, x: usize, y: usize): void {
  addMultiple(out, x, y, -1);
}

/** out = x + i·y in the quadratic extension. */
export function addTurned(out: usize, x: usize, y: usize): void {
  tighten(
    out,
    f64x2.add(v128.load(x), turned(y)),
    f64x2.add(v128.load(x, 16), turned(y + 16)),
    f64x2.add(v128.load(x, 32), turned(y + 32)),
    f64x2.add(v128.load(x, 48), turned(y + 48)),
    f64x2.add(v128.load(x, 64), turned(y + 64)),
  );
}

@inline
function turned(at: usize): v128 {
  const digits = v128.load(at);
  return v128.xor(v128.shuffle<u64>(digits, digits, 1, 0), v128.load(FIRST_SIGN));
}

@inline
export function copy(out: usize, x: usize): void {
  memory.copy(out, x, ELEMENT);
}

@inline
export function clear(out: usize): void {
  memory.fill(out, 0, ELEMENT);
}

/** out = −x in each lane. */
export function negate(out: usize, x: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 16) v128.store(out + i, f64x2.neg(v128.load(x + i)));
}

/** out = x with the sign of the second lane changed. */
export function conjugate(out: usize, x: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 16) v128.store(out + i, v128.xor(v128.load(x + i), f64x2(0, -0.0)));
}

/** Whether both lanes are zero, which has a unique form for tight numbers. */
export function isZero(x: usize): bool {
  let all = f64x2.eq(v128.load(x), f64x2.splat(0));
  for (let i: usize = 16; i < ELEMENT; i += 16) all = v128.and(all, f64x2.eq(v128.load(x + i), f64x2.splat(0)));
  return i64x2.all_true(all);
}

const LANES_X: usize = memory.data(80, 16);
const LANES_Y: usize = memory.data(80, 16);

/** out = x² in the quadratic extension: (a+b)·(a−b) and 2a·b. */
export function square(out: usize, x: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 16) {
    const a = v128.load_splat<f64>(x + i), b = v128.load_splat<f64>(x + i, 8);
    v128.store(LANES_X + i, f64x2.add(a, v128.shuffle<u64>(b, a, 0, 2)));
    v128.store(LANES_Y + i, v128.shuffle<u64>(f64x2.sub(a, b), b, 0, 2));
  }
  multiplyLanes(out, LANES_X, LANES_Y);
}
