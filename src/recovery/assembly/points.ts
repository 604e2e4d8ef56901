// Points of the curve y² = x³ + 7, two at a time, one in each lane. In lists they are (x, y), and a whole list is added to another
// with one inversion. Nothing here knows of infinity, nor of sums of equal or opposite points: a caller that meets them gets a code, and
// uses another implementation.
import { writeLane } from './bytes';
import {
  copy,
  difference,
  ELEMENT,
  multiply,
  multiplyFourTimes,
  multiplySubtract,
  multiplyTwice,
  setLane,
  square,
  squareEightTimes,
  squareSubtract,
  squareSubtractTwice,
  squareThreeTimes,
  twice,
} from './field';
import { invert } from './powers';

const E: usize = ELEMENT;
/** Bytes of a point in a list. */
export const POINT: usize = 160;

const PRODUCT: usize = memory.data(80, 16);
const INVERSE: usize = memory.data(80, 16);
const D: usize = memory.data(80, 16);
const S: usize = memory.data(80, 16);
const L: usize = memory.data(80, 16);
const X: usize = memory.data(80, 16);
const BYTES: usize = memory.data(32, 8);

/** Whether a lane is zero. */
function hasZero(x: usize): bool {
  for (let lane: usize = 0; lane < 2; lane++) {
    writeLane(BYTES, x, lane);
    if ((load<u64>(BYTES) | load<u64>(BYTES, 8) | load<u64>(BYTES, 16) | load<u64>(BYTES, 24)) == 0) return true;
  }
  return false;
}

function setToOne(x: usize): void {
  setLane(x, 0, 1);
  setLane(x, 1, 1);
}

/** Begins an inversion of all divisors: `prefixes` receives the product of those before each. */
@inline
function take(prefix: usize, divisor: usize): void {
  copy(prefix, PRODUCT);
  multiply(PRODUCT, PRODUCT, divisor);
}

/** L = the inverse of the last divisor that has not been given back yet. */
@inline
function give(prefix: usize, divisor: usize): void {
  multiply(L, INVERSE, prefix);
  multiply(INVERSE, INVERSE, divisor);
}

/** out = the third point on the line of slope L through a and a point with the coordinate x, mirrored. */
@inline
function follow(out: usize, a: usize, x: usize): void {
  squareSubtract(X, L, a, x);
  difference(D, a, X);
  multiplySubtract(out + E, L, D, a + E);
  copy(out, X);
}

/** out = a + b for lists of points; `out` may be `a`. False if a sum has no slope: then nothing is written. */
export function addAll(out: usize, a: usize, b: usize, count: usize, prefixes: usize): bool {
  setToOne(PRODUCT);
  for (let i: usize = 0; i < count; i++) {
    difference(D, b + i * POINT, a + i * POINT);
    take(prefixes + i * E, D);
  }
  if (hasZero(PRODUCT)) return false;
  invert(INVERSE, PRODUCT);
  for (let i = count; i > 0; i--) {
    const at = (i - 1) * POINT;
    difference(D, b + at, a + at);
    give(prefixes + (i - 1) * E, D);
    difference(D, b + at + E, a + at + E);
    multiply(L, L, D);
    follow(out + at, a + at, b + at);
  }
  return true;
}

/** out = 2a for a list of points. No point of this curve has y = 0. */
export function doubleAll(out: usize, a: usize, count: usize, prefixes: usize): void {
  setToOne(PRODUCT);
  for (let i: usize = 0; i < count; i++) {
    twice(D, a + i * POINT + E);
    take(prefixes + i * E, D);
  }
  invert(INVERSE, PRODUCT);
  for (let i = count; i > 0; i--) {
    const at = (i - 1) * POINT;
    twice(D, a + at + E);
    give(prefixes + (i - 1) * E, D);
    squareThreeTimes(S, a + at);
    multiply(L, L, S);
    follow(out + at, a + at, a + at);
  }
}

/** Bytes of a point (X, Y, Z), which stands for (X / Z², Y / Z³). */
export const JACOBIAN: usize = 240;

const A: usize = memory.data(80, 16);
const B: usize = memory.data(80, 16);
const F: usize = memory.data(80, 16);

/** p = 2p. */
export function doublePoint(p: usize): void {
  const y = p + E, z = p + 2 * E;
  squareThreeTimes(A, p);
  square(B, y);
  multiplyTwice(z, y, z);
  multiplyFourTimes(D, p, B);
  squareEightTimes(B, B);
  squareSubtract(p, A, D, D);
  difference(F, D, p);
  multiplySubtract(y, A, F, B);
}

/** p = p + q, where q is of a list. If they are equal or opposite, Z is zero from then on. */
export function addPoint(p: usize, q: usize): void {
  const y = p + E, z = p + 2 * E;
  square(A, z);
  multiply(B, A, z);
  // A = x₂ − x₁ and B = y₂ − y₁, both with Z₁'s powers.
  multiplySubtract(A, A, q, p);
  multiplySubtract(B, B, q + E, y);
  multiply(z, z, A);
  square(F, A);
  multiply(A, A, F);
  multiply(D, p, F);
  squareSubtractTwice(p, B, A, D);
  multiply(A, A, y);
  difference(F, D, p);
  multiplySubtract(y, B, F, A);
}

/** Turns points (X, Y, Z) into those of a list. False if one of them has no place there. */
export function normalizeAll(out: usize, from: usize, count: usize, prefixes: usize): bool {
  setToOne(PRODUCT);
  for (let i: usize = 0; i < count; i++) take(prefixes + i * E, from + i * JACOBIAN + 2 * E);
  if (hasZero(PRODUCT)) return false;
  invert(INVERSE, PRODUCT);
  for (let i = count; i > 0; i--) {
    const p = from + (i - 1) * JACOBIAN, to = out + (i - 1) * POINT;
    give(prefixes + (i - 1) * E, p + 2 * E);
    square(S, L);
    multiply(to, p, S);
    multiply(S, S, L);
    multiply(to + E, p + E, S);
  }
  return true;
}
