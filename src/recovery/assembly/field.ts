// Two numbers modulo secp256k1's p at a time, one in each lane of a vector: five digits of 52 bits in double precision, least
// first, 16 bytes per pair of digits. A fused multiply-add gives both halves of a product of two digits exactly:
//   high = a·b + C (C so large that the sum is rounded to a multiple of 2⁵²), low = a·b + (C − high).
// Their bit patterns are added as integers; the contribution of the constants to each column is known in advance.
//
// Digits are signed. Tight numbers have digits of up to 2⁵¹, the last one of little more than 2⁴⁷; loose ones are the sum or
// the difference of two tight ones. A product of two digits must not exceed 2¹⁰³: one factor of a multiplication may be loose.

import { fused } from '../../primitives/assembly/fused';

/** Bytes of an element. */
export const ELEMENT: usize = 80;

const DIGIT_BITS: i64 = 52;
const TOP_BITS: i64 = 48;
/** 1.5·2¹⁰⁴: a sum with it is rounded to a multiple of 2⁵². */
const HIGH: f64 = 30423614405477505635920876929024.0;
/** 1.5·2⁵²: the bits of a sum with it are those of an integer. */
const LOW: f64 = 6755399441055744.0;
/** 2⁵²: an integer below becomes a number when these bits are set. */
const UNIT: f64 = 4503599627370496.0;
/** 2⁵¹ and 2⁴⁷, by which digits are moved before they are rounded. */
const HALF_DIGIT: f64 = 2251799813685248.0;
const HALF_TOP: f64 = 140737488355328.0;
/** 1.5·2¹⁰⁰: a sum with it is rounded to a multiple of 2⁴⁸. */
const TOP: f64 = 1901475900342344102245054808064.0;
/** Makes columns positive before they are shifted. */
const BIAS: i64 = 1 << 62;
/** p = 2²⁵⁶ − C; 2²⁶⁰ is 16C modulo p. */
const C: f64 = 4294968273.0;
const SIXTEEN_C: f64 = 68719492368.0;

// Vectors of constants are loaded from memory: V8 would otherwise build each of them from two halves at every use.
const HIGHS: usize = memory.data<f64>([HIGH, HIGH], 16);
const LOWS: usize = memory.data<f64>([LOW, LOW], 16);
const UNITS: usize = memory.data<f64>([UNIT, UNIT], 16);
const ROUNDED_UNITS: usize = memory.data<f64>([UNIT + HALF_DIGIT, UNIT + HALF_DIGIT], 16);
const ROUNDED_TOPS: usize = memory.data<f64>([UNIT + HALF_TOP, UNIT + HALF_TOP], 16);
const TOPS: usize = memory.data<f64>([TOP, TOP], 16);
const MASKS: usize = memory.data<u64>([0xfffffffffffff, 0xfffffffffffff], 16);
const TOP_MASKS: usize = memory.data<u64>([0xffffffffffff, 0xffffffffffff], 16);
const CS: usize = memory.data<f64>([C, C], 16);
const SIXTEEN_CS: usize = memory.data<f64>([SIXTEEN_C, SIXTEEN_C], 16);
/** What is taken from the part of the fourth column beyond 2⁴⁸. */
const TOP_BIAS: usize = memory.data<i64>([-(BIAS >> TOP_BITS), -(BIAS >> TOP_BITS)], 16);

/** The ten columns of a product. */
const T: usize = memory.data(160, 16);
/** Their initial values, if they are then multiplied by a small number, and if not; the same for a square. */
const RAW: usize = memory.data(160, 16);
const COLUMNS: usize = memory.data(160, 16);
const RAW_SQUARE: usize = memory.data(160, 16);
const SQUARE_COLUMNS: usize = memory.data(160, 16);
/** What makes the former the latter, and the initial value of the sixth column of the reduced number. */
const REST: usize = memory.data(176, 16);

/** The number of products of two digits that begin in a column. */
function products(column: i32, isSquare: bool): i64 {
  if (column < 0 || column > 8) return 0;
  const pairs = column < 5 ? column + 1 : 9 - column;
  return isSquare ? (pairs + 1) >> 1 : pairs;
}

/** Must be called first. */
export function prepare(): void {
  const low = reinterpret<i64>(LOW), high = reinterpret<i64>(HIGH);
  for (let column = 0; column < 11; column++) {
    const at = usize(column) << 4;
    let rest: i64 = 0;
    // The upper digits times 16C are added to the lower columns, and what is beyond the last of them times C to the first two.
    if (column < 5) rest -= low;
    if (column == 0) rest -= low;
    if ((column > 0 && column < 5) || column == 10) rest -= high;
    if (column == 1) rest -= high;
    // The carry into a column has the bias of the one before it.
    if (column < 9) rest += BIAS + (i64(1) << (column == 4 ? TOP_BITS - 1 : DIGIT_BITS - 1));
    if (column > 0 && column < 10 && column != 4 && column != 5) rest -= BIAS >> DIGIT_BITS;
    v128.store(REST + at, i64x2.splat(rest));
    if (column == 10) break;
    const raw = -products(column, false) * low - products(column - 1, false) * high;
    const square = -products(column, true) * low - products(column - 1, true) * high;
    v128.store(RAW + at, i64x2.splat(raw));
    v128.store(COLUMNS + at, i64x2.splat(raw + rest));
    v128.store(RAW_SQUARE + at, i64x2.splat(square));
    v128.store(SQUARE_COLUMNS + at, i64x2.splat(square + rest));
  }
}

/** The bits of the lower half of a product whose upper half is `h`. */
@inline
function lowOf(a: v128, b: v128, h: v128): v128 {
  return f64x2.add(fused(a, b, f64x2.sub(v128.load(HIGHS), h)), v128.load(LOWS));
}

/** The signed digit of a column to which half a digit was added. */
@inline
function digitOf(column: v128): v128 {
  return f64x2.sub(v128.or(v128.and(column, v128.load(MASKS)), v128.load(UNITS)), v128.load(ROUNDED_UNITS));
}

/** A column of few bits as a number. */
@inline
function numberOf(column: v128): v128 {
  return f64x2.sub(i64x2.add(column, v128.load(LOWS)), v128.load(LOWS));
}

/** T = the columns of x·y, from initial values; one of them may be loose. */
@inline
function multiplyColumns(initial: usize, x: usize, y: usize): void {
  const high = v128.load(HIGHS);
  const y0 = v128.load(y), y1 = v128.load(y, 16), y2 = v128.load(y, 32), y3 = v128.load(y, 48), y4 = v128.load(y, 64);
  let t0 = v128.load(initial), t1 = v128.load(initial, 16), t2 = v128.load(initial, 32);
  let t3 = v128.load(initial, 48), t4 = v128.load(initial, 64), t5: v128, h: v128;
  for (let i: usize = 0; i < 80; i += 16) {
    const a = v128.load(x + i);
    t5 = v128.load(initial + i, 80);
    h = fused(a, y0, high);
    v128.store(T + i, i64x2.add(t0, lowOf(a, y0, h)));
    t0 = i64x2.add(t1, h);
    h = fused(a, y1, high);
    t0 = i64x2.add(t0, lowOf(a, y1, h));
    t1 = i64x2.add(t2, h);
    h = fused(a, y2, high);
    t1 = i64x2.add(t1, lowOf(a, y2, h));
    t2 = i64x2.add(t3, h);
    h = fused(a, y3, high);
    t2 = i64x2.add(t2, lowOf(a, y3, h));
    t3 = i64x2.add(t4, h);
    h = fused(a, y4, high);
    t3 = i64x2.add(t3, lowOf(a, y4, h));
    t4 = i64x2.add(t5, h);
  }
  v128.store(T, t0, 80);
  v128.store(T, t1, 96);
  v128.store(T, t2, 112);
  v128.store(T, t3, 128);
  v128.store(T, t4, 144);
}

/** T = the columns of x², from initial values. */
@inline
function squareColumns(initial: usize, x: usize): void {
  const high = v128.load(HIGHS);
  const x0 = v128.load(x);
  const x1 = v128.load(x, 16);
  const x2 = v128.load(x, 32);
  const x3 = v128.load(x, 48);
  const x4 = v128.load(x, 64);
  const d0 = f64x2.add(x0, x0);
  const d1 = f64x2.add(x1, x1);
  const d2 = f64x2.add(x2, x2);
  const d3 = f64x2.add(x3, x3);
  let t0 = v128.load(initial);
  let t1 = v128.load(initial, 16);
  let t2 = v128.load(initial, 32);
  let t3 = v128.load(initial, 48);
  let t4 = v128.load(initial, 64);
  let t5 = v128.load(initial, 80);
  let t6 = v128.load(initial, 96);
  let t7 = v128.load(initial, 112);
  let t8 = v128.load(initial, 128);
  let t9 = v128.load(initial, 144);
  let h: v128;
  h = fused(x0, x0, high);
  t0 = i64x2.add(t0, lowOf(x0, x0, h));
  t1 = i64x2.add(t1, h);
  v128.store(T, t0);
  h = fused(d0, x1, high);
  t1 = i64x2.add(t1, lowOf(d0, x1, h));
  t2 = i64x2.add(t2, h);
  v128.store(T, t1, 16);
  h = fused(d0, x2, high);
  t2 = i64x2.add(t2, lowOf(d0, x2, h));
  t3 = i64x2.add(t3, h);
  h = fused(x1, x1, high);
  t2 = i64x2.add(t2, lowOf(x1, x1, h));
  t3 = i64x2.add(t3, h);
  v128.store(T, t2, 32);
  h = fused(d0, x3, high);
  t3 = i64x2.add(t3, lowOf(d0, x3, h));
  t4 = i64x2.add(t4, h);
  h = fused(d1, x2, high);
  t3 = i64x2.add(t3, lowOf(d1, x2, h));
  t4 = i64x2.add(t4, h);
  v128.store(T, t3, 48);
  h = fused(d0, x4, high);
  t4 = i64x2.add(t4, lowOf(d0, x4, h));
  t5 = i64x2.add(t5, h);
  h = fused(d1, x3, high);
  t4 = i64x2.add(t4, lowOf(d1, x3, h));
  t5 = i64x2.add(t5, h);
  h = fused(x2, x2, high);
  t4 = i64x2.add(t4, lowOf(x2, x2, h));
  t5 = i64x2.add(t5, h);
  v128.store(T, t4, 64);
  h = fused(d1, x4, high);
  t5 = i64x2.add(t5, lowOf(d1, x4, h));
  t6 = i64x2.add(t6, h);
  h = fused(d2, x3, high);
  t5 = i64x2.add(t5, lowOf(d2, x3, h));
  t6 = i64x2.add(t6, h);
  v128.store(T, t5, 80);
  h = fused(d2, x4, high);
  t6 = i64x2.add(t6, lowOf(d2, x4, h));
  t7 = i64x2.add(t7, h);
  h = fused(x3, x3, high);
  t6 = i64x2.add(t6, lowOf(x3, x3, h));
  t7 = i64x2.add(t7, h);
  v128.store(T, t6, 96);
  h = fused(d3, x4, high);
  t7 = i64x2.add(t7, lowOf(d3, x4, h));
  t8 = i64x2.add(t8, h);
  v128.store(T, t7, 112);
  h = fused(x4, x4, high);
  t8 = i64x2.add(t8, lowOf(x4, x4, h));
  t9 = i64x2.add(t9, h);
  v128.store(T, t8, 128);
  v128.store(T, t9, 144);
}

/** T = T times 2 ^ bits, or three times T for `bits` −1. */
@inline
function scale(bits: i32): void {
  for (let at: usize = 0; at < 160; at += 16) {
    const t = v128.load(T + at);
    const scaled = bits < 0 ? i64x2.add(t, i64x2.add(t, t)) : i64x2.shl(t, bits);
    v128.store(T + at, i64x2.add(scaled, v128.load(REST + at)));
  }
}

/** T = T − z·2 ^ bits. */
@inline
function take(z: usize, bits: i32): void {
  for (let at: usize = 0; at < 80; at += 16) {
    const digit = i64x2.sub(f64x2.add(v128.load(z + at), v128.load(LOWS)), v128.load(LOWS));
    v128.store(T + at, i64x2.sub(v128.load(T + at), i64x2.shl(digit, bits)));
  }
}

/** out = x·y in each lane; one of them may be loose. */
export function multiply(out: usize, x: usize, y: usize): void {
  multiplyColumns(COLUMNS, x, y);
  reduce(out);
}

/** out = 2xy in each lane. */
export function multiplyTwice(out: usize, x: usize, y: usize): void {
  multiplyColumns(RAW, x, y);
  scale(1);
  reduce(out);
}

/** out = 4xy in each lane. */
export function multiplyFourTimes(out: usize, x: usize, y: usize): void {
  multiplyColumns(RAW, x, y);
  scale(2);
  reduce(out);
}

/** out = x·y − z in each lane; x or y may be loose. */
export function multiplySubtract(out: usize, x: usize, y: usize, z: usize): void {
  multiplyColumns(COLUMNS, x, y);
  take(z, 0);
  reduce(out);
}

/** out = x² in each lane. */
export function square(out: usize, x: usize): void {
  squareColumns(SQUARE_COLUMNS, x);
  reduce(out);
}

/** out = 3x² in each lane. */
export function squareThreeTimes(out: usize, x: usize): void {
  squareColumns(RAW_SQUARE, x);
  scale(-1);
  reduce(out);
}

/** out = 8x² in each lane. */
export function squareEightTimes(out: usize, x: usize): void {
  squareColumns(RAW_SQUARE, x);
  scale(3);
  reduce(out);
}

/** out = x² − y − z in each lane. */
export function squareSubtract(out: usize, x: usize, y: usize, z: usize): void {
  squareColumns(SQUARE_COLUMNS, x);
  take(y, 0);
  take(z, 0);
  reduce(out);
}

/** out = x² − y − 2z in each lane. */
export function squareSubtractTwice(out: usize, x: usize, y: usize, z: usize): void {
  squareColumns(SQUARE_COLUMNS, x);
  take(y, 0);
  take(z, 1);
  reduce(out);
}

/** Writes the number whose columns are in T. */
@inline
function reduce(out: usize): void {
  let r0 = v128.load(T), r1 = v128.load(T, 16), r2 = v128.load(T, 32), r3 = v128.load(T, 48), r4 = v128.load(T, 64);
  let t5 = v128.load(T, 80), t6 = v128.load(T, 96), t7 = v128.load(T, 112), t8 = v128.load(T, 128);
  const t9 = v128.load(T, 144);
  const high = v128.load(HIGHS), k = v128.load(SIXTEEN_CS);
  const d5 = digitOf(t5);
  t6 = i64x2.add(t6, i64x2.shr_u(t5, i32(DIGIT_BITS)));
  const d6 = digitOf(t6);
  t7 = i64x2.add(t7, i64x2.shr_u(t6, i32(DIGIT_BITS)));
  const d7 = digitOf(t7);
  t8 = i64x2.add(t8, i64x2.shr_u(t7, i32(DIGIT_BITS)));
  const d8 = digitOf(t8);
  const d9 = numberOf(i64x2.add(t9, i64x2.shr_u(t8, i32(DIGIT_BITS))));

  let h = fused(d5, k, high);
  r0 = i64x2.add(r0, lowOf(d5, k, h));
  r1 = i64x2.add(r1, h);
  h = fused(d6, k, high);
  r1 = i64x2.add(r1, lowOf(d6, k, h));
  r2 = i64x2.add(r2, h);
  h = fused(d7, k, high);
  r2 = i64x2.add(r2, lowOf(d7, k, h));
  r3 = i64x2.add(r3, h);
  h = fused(d8, k, high);
  r3 = i64x2.add(r3, lowOf(d8, k, h));
  r4 = i64x2.add(r4, h);
  h = fused(d9, k, high);
  r4 = i64x2.add(r4, lowOf(d9, k, h));
  const r5 = i64x2.add(v128.load(REST, 160), h);

  // What is beyond 256 bits, times C.
  const beyond = i64x2.add(i64x2.add(i64x2.shr_u(r4, i32(TOP_BITS)), v128.load(TOP_BIAS)), i64x2.shl(r5, 4));
  const e = numberOf(beyond), c = v128.load(CS);
  h = fused(e, c, high);
  r0 = i64x2.add(r0, lowOf(e, c, h));
  r1 = i64x2.add(r1, h);
  const top = f64x2.sub(v128.or(v128.and(r4, v128.load(TOP_MASKS)), v128.load(UNITS)), v128.load(ROUNDED_TOPS));

  v128.store(out, digitOf(r0));
  r1 = i64x2.add(r1, i64x2.shr_u(r0, i32(DIGIT_BITS)));
  v128.store(out, digitOf(r1), 16);
  r2 = i64x2.add(r2, i64x2.shr_u(r1, i32(DIGIT_BITS)));
  v128.store(out, digitOf(r2), 32);
  r3 = i64x2.add(r3, i64x2.shr_u(r2, i32(DIGIT_BITS)));
  v128.store(out, digitOf(r3), 48);
  // The last carry comes too late for its column, which has been rounded.
  const carry = i64x2.sub(i64x2.shr_u(r3, i32(DIGIT_BITS)), i64x2.splat(BIAS >> DIGIT_BITS));
  v128.store(out, f64x2.add(top, numberOf(carry)), 64);
}

/** The part of a digit beyond 52 bits. */
@inline
function excess(digit: v128): v128 {
  return f64x2.sub(f64x2.add(digit, v128.load(HIGHS)), v128.load(HIGHS));
}

/** Writes the number with these digits, of up to 53 bits, as a tight one. */
@inline
function tighten(out: usize, d0: v128, d1: v128, d2: v128, d3: v128, d4: v128): void {
  const down = f64x2.splat(1.0 / 4503599627370496.0);
  const beyond = f64x2.sub(f64x2.add(d4, v128.load(TOPS)), v128.load(TOPS));
  d0 = fused(beyond, f64x2.splat(C / 281474976710656.0), d0);
  let e = excess(d0);
  v128.store(out, f64x2.sub(d0, e));
  d1 = fused(e, down, d1);
  e = excess(d1);
  v128.store(out, f64x2.sub(d1, e), 16);
  d2 = fused(e, down, d2);
  e = excess(d2);
  v128.store(out, f64x2.sub(d2, e), 32);
  d3 = fused(e, down, d3);
  e = excess(d3);
  v128.store(out, f64x2.sub(d3, e), 48);
  v128.store(out, fused(e, down, f64x2.sub(d4, beyond)), 64);
}

/** out = x in each lane, tight; the digits of x may have 53 bits. */
export function tight(out: usize, x: usize): void {
  tighten(out, v128.load(x), v128.load(x, 16), v128.load(x, 32), v128.load(x, 48), v128.load(x, 64));
}

/** out = x − y in each lane, tight. */
export function subtract(out: usize, x: usize, y: usize): void {
  tighten(
    out,
    f64x2.sub(v128.load(x), v128.load(y)),
    f64x2.sub(v128.load(x, 16), v128.load(y, 16)),
    f64x2.sub(v128.load(x, 32), v128.load(y, 32)),
    f64x2.sub(v128.load(x, 48), v128.load(y, 48)),
    f64x2.sub(v128.load(x, 64), v128.load(y, 64)),
  );
}

/** out = x − y in each lane, loose. */
@inline
export function difference(out: usize, x: usize, y: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 16) v128.store(out + i, f64x2.sub(v128.load(x + i), v128.load(y + i)));
}

/** out = 2x in each lane, loose. */
@inline
export function twice(out: usize, x: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 16) v128.store(out + i, f64x2.add(v128.load(x + i), v128.load(x + i)));
}

@inline
export function copy(out: usize, x: usize): void {
  memory.copy(out, x, ELEMENT);
}

/** Changes the sign of one lane. */
export function negateLane(x: usize, lane: usize): void {
  for (let i: usize = lane << 3; i < ELEMENT; i += 16) store<f64>(x + i, -load<f64>(x + i));
}

/** Sets a lane to a small whole number. */
export function setLane(x: usize, lane: usize, n: f64): void {
  for (let i: usize = lane << 3; i < ELEMENT; i += 16) store<f64>(x + i, 0);
  store<f64>(x + (lane << 3), n);
}
