// Points of the curve y² = x³ + 3 in homogeneous coordinates (X, Y, Z), each coordinate in both lanes. The formulas are
// those of the twist (twist.ts); two products at a time share a multiplication.
import { isAllZero, read, write } from './bytes';
import { add, addMultiple, clear, copy, ELEMENT, isZero, multiplyLanes, negate, subtract } from './field';
import { invertLanes, ONES } from './tower';

const E: usize = ELEMENT;
const POINT: usize = 3 * 80;

/** The first lanes of x and y. */
@inline
function pack(out: usize, x: usize, y: usize): void {
  for (let at: usize = 0; at < E; at += 16) {
    v128.store(out + at, v128.shuffle<u64>(v128.load(x + at), v128.load(y + at), 0, 2));
  }
}

/** The lane that begins at x, in both lanes. */
@inline
function spread(out: usize, x: usize): void {
  for (let at: usize = 0; at < E; at += 16) v128.store(out + at, v128.load_splat<u64>(x + at));
}

const SECOND: usize = 8;

const A: usize = memory.data(80, 16);
const B: usize = memory.data(80, 16);

/** out = (x·z, y·w), each factor from the first lane. */
@inline
function multiplyTwo(out: usize, x: usize, y: usize, z: usize, w: usize): void {
  pack(A, x, y);
  pack(B, z, w);
  multiplyLanes(out, A, B);
}

/** out = 9x: three times the curve's 3. */
@inline
function multiplyByNine(out: usize, x: usize): void {
  addMultiple(B, x, x, 3);
  addMultiple(out, x, B, 2);
}

const U: usize = memory.data(80, 16);
const V: usize = memory.data(80, 16);
const W: usize = memory.data(80, 16);
const T0: usize = memory.data(80, 16);
const T1: usize = memory.data(80, 16);
const T2: usize = memory.data(80, 16);
const T3: usize = memory.data(80, 16);
const T4: usize = memory.data(80, 16);
const T5: usize = memory.data(80, 16);

function doublePoint(p: usize): void {
  const x = p, y = p + E, z = p + 2 * E;
  multiplyTwo(U, y, x, y, y);
  multiplyTwo(V, y, z, z, z);
  spread(T0, U);
  spread(T1, U + SECOND);
  multiplyByNine(W, V);
  spread(T2, W + SECOND);
  // T3 = 8Y²
  addMultiple(T3, T0, T0, 3);
  add(T3, T3, T3);
  add(T4, T0, T2);
  addMultiple(T0, T0, T2, -3);
  multiplyTwo(U, T4, T1, T0, T0);
  multiplyTwo(W, T2, V, T3, T3);
  add(T4, U, W);
  spread(y, T4);
  spread(z, W + SECOND);
  add(U, U, U);
  spread(x, U + SECOND);
}

/** p = p + q. */
function addPoint(p: usize, q: usize): void {
  add(T0, p, p + E);
  add(T1, q, q + E);
  multiplyTwo(U, p, p + E, q, q + E);
  multiplyTwo(V, p + 2 * E, T0, q + 2 * E, T1);
  add(T0, p + E, p + 2 * E);
  add(T1, q + E, q + 2 * E);
  add(T2, p, p + 2 * E);
  add(T3, q, q + 2 * E);
  multiplyTwo(W, T0, T2, T1, T3);
  // T0 = X₁X₂, T1 = Y₁Y₂, T2 = Z₁Z₂, T3 = X₁Y₂ + Y₁X₂, (T4, T5) = (Y₁Z₂ + Z₁Y₂, X₁Z₂ + Z₁X₂)
  spread(T0, U);
  spread(T1, U + SECOND);
  spread(T2, V);
  pack(A, T1, T0);
  subtract(W, W, A);
  subtract(W, W, T2);
  spread(T4, W);
  spread(T5, W + SECOND);
  spread(T3, V + SECOND);
  subtract(T3, T3, T0);
  subtract(T3, T3, T1);
  multiplyByNine(T2, T2);
  multiplyByNine(T5, T5);
  addMultiple(T0, T0, T0, 2);
  add(U, T1, T2);
  subtract(T1, T1, T2);
  // X = T3·T1 − T4·T5, Y = T1·U + T5·T0, Z = U·T4 + T0·T3
  multiplyTwo(V, T1, U, U, T4);
  multiplyTwo(W, T5, T0, T0, T3);
  add(V, V, W);
  multiplyTwo(W, T3, T4, T1, T5);
  spread(p + E, V);
  spread(p + 2 * E, V + SECOND);
  spread(T0, W);
  spread(T1, W + SECOND);
  subtract(p, T0, T1);
}

/** Three in both lanes. */
export const THREES: usize = memory.data(80, 16);

/** The coordinates that were read. */
export const NO_POINT: i32 = 0;
export const INFINITY: i32 = 1;
export const SOME_POINT: i32 = 2;

/** Reads x and y of 32 bytes each, with Z = 1. */
export function readPoint(p: usize, at: usize): i32 {
  if (isAllZero(at, 64)) return INFINITY;
  if (!read(p, at, at) || !read(p + E, at + 32, at + 32)) return NO_POINT;
  copy(p + 2 * E, ONES);
  multiplyLanes(T0, p, p);
  multiplyLanes(T0, T0, p);
  add(T0, T0, THREES);
  multiplyLanes(T1, p + E, p + E);
  subtract(T0, T0, T1);
  return isZero(T0) ? SOME_POINT : NO_POINT;
}

/** Bits of a digit, with its sign. */
const WINDOW: i32 = 5;
/** Odd multiples of a point, as many as digits can have: 1, 3, 5 … 15. */
const ODDS: usize = 1 << (WINDOW - 2);
/** Those of the point, then those of the same point times λ. */
const MULTIPLES: usize = memory.data(2 * 8 * 240, 16);
const TURNED: usize = MULTIPLES + ODDS * POINT;
const TWICE: usize = memory.data(240, 16);
const SUM: usize = memory.data(240, 16);
const NEGATED: usize = memory.data(240, 16);

/** (x, y) → (βx, y) multiplies a point by λ, a root of one modulo the order. β in both lanes. */
export const BETA: usize = memory.data(80, 16);

function listMultiples(p: usize): void {
  memory.copy(MULTIPLES, p, POINT);
  memory.copy(TWICE, p, POINT);
  doublePoint(TWICE);
  for (let i: usize = 1; i < ODDS; i++) {
    const next = MULTIPLES + i * POINT;
    memory.copy(next, next - POINT, POINT);
    addPoint(next, TWICE);
  }
  memory.copy(TURNED, MULTIPLES, ODDS * POINT);
  for (let i: usize = 0; i < ODDS; i++) multiplyLanes(TURNED + i * POINT, MULTIPLES + i * POINT, BETA);
}

/** Digits of both scalars, one for each bit, least first. */
const DIGITS: i32 = 129;
const FIRST: usize = memory.data(129);
const OTHER: usize = memory.data(129);

/**
 * Writes a scalar of up to 127 bits, in 16 bytes with the least first and a byte that is not zero for a negative one, as digits
 * that are zero or odd; of five in a row only one is not zero. Returns how many there are.
 */
function listDigits(out: usize, scalar: usize): i32 {
  let low = load<u64>(scalar), high = load<u64>(scalar, 8);
  const isNegative = load<u8>(scalar, 16) != 0;
  memory.fill(out, 0, DIGITS);
  let count = 0;
  for (let bit = 0; (low | high) != 0; bit++) {
    if (low & 1) {
      let digit = i32(low & ((1 << WINDOW) - 1));
      if (digit >= 1 << (WINDOW - 1)) digit -= 1 << WINDOW;
      const before = low;
      low -= u64(i64(digit));
      if (digit < 0 && low < before) high++;
      store<i8>(out + bit, i8(isNegative ? -digit : digit));
      count = bit + 1;
    }
    low = (low >> 1) | (high << 63);
    high >>= 1;
  }
  return count;
}

/** SUM = SUM + digit times the point of which the odd multiples are given. */
function addMultipleOf(multiples: usize, digit: i32): void {
  const multiple = multiples + usize((digit < 0 ? -digit : digit) >> 1) * POINT;
  if (digit > 0) {
    addPoint(SUM, multiple);
    return;
  }
  memory.copy(NEGATED, multiple, POINT);
  negate(NEGATED + E, multiple + E);
  addPoint(SUM, NEGATED);
}

/** p = p times k₁ + λk₂; Z is zero for infinity. The scalars are as `listDigits` takes them. */
export function multiplyPoint(p: usize, first: usize, second: usize): void {
  listMultiples(p);
  const count = max(listDigits(FIRST, first), listDigits(OTHER, second));
  clear(SUM);
  copy(SUM + E, ONES);
  clear(SUM + 2 * E);
  for (let bit = count - 1; bit >= 0; bit--) {
    if (bit < count - 1) doublePoint(SUM);
    const digit = i32(load<i8>(FIRST + bit)), other = i32(load<i8>(OTHER + bit));
    if (digit) addMultipleOf(MULTIPLES, digit);
    if (other) addMultipleOf(TURNED, other);
  }
  memory.copy(p, SUM, POINT);
}

/** Writes x and y of a point, zeros for infinity: the inverse of zero is zero. */
export function writePoint(at: usize, p: usize): void {
  invertLanes(T0, p + 2 * E);
  multiplyLanes(T1, p, T0);
  write(at, T1);
  multiplyLanes(T1, p + E, T0);
  write(at + 32, T1);
}
