// Recovers the public keys of many ECDSA signatures on secp256k1 at a time, for machines with a fused multiply-add: the points
// u₁·G + u₂·R. R's multiples are those of two scalars of half the length, by the curve's endomorphism; G's are sums of points
// that are known beforehand. All scalars are odd, so that no digit is zero and all signatures take the same way.
import { read, writeLane } from './bytes';
import { ELEMENT, multiply, negateLane, prepare, square, subtract } from './field';
import { addAll, addPoint, doubleAll, doublePoint, JACOBIAN, normalizeAll, POINT } from './points';
import { squareRoot } from './powers';
import { HALF, multiplyScalars, negateToOdd, readScalar, SCALAR, splitScalar } from './scalars';

export { isFused } from '../../primitives/assembly/fused';
export { constantsAt } from './scalars';

const E: usize = ELEMENT;
// Digits of u₂'s halves: five bits, and R's odd multiples up to 31.
const WINDOW: usize = 5;
const WINDOWS: usize = 27;
const ODDS: usize = 16;
// Digits of u₁: eight bits, and for each of them the odd multiples up to 255 of its power of two.
const FIXED_WINDOW: usize = 8;
const FIXED_WINDOWS: usize = 33;
const FIXED_ODDS: usize = 128;

/** A signature as the caller writes it: r, the x coordinate of R; the parity of R's y coordinate; s; the digest. */
const SLOT: usize = 192;
const PARITY: usize = 122;
const S: usize = 128;
const DIGEST: usize = 160;
/** Written by `setScalars`: the halves of u₂, their signs, and u₁. */
const HALVES: usize = 32;
const SIGNS: usize = 120;
const FIXED: usize = 80;
/** Written by `recover`: whether r is the coordinate of a point, and the key, in the place of s and the digest. */
const IS_POINT: usize = 123;
const KEY: usize = 128;

// Room for 64 pairs of signatures; the compiler takes no names here.
const SLOTS: usize = memory.data(2 * 64 * 192, 16);
const FIXED_POINTS: usize = memory.data(33 * 128 * 80, 16);
const MULTIPLES: usize = memory.data(16 * 64 * 160, 16);
const TURNED: usize = memory.data(16 * 64 * 80, 16);
const DOUBLES: usize = memory.data(64 * 160, 16);
const SUMS: usize = memory.data(33 * 64 * 160, 16);
const OTHERS: usize = memory.data(27 * 64 * 160, 16);
const PREFIXES: usize = memory.data(27 * 64 * 80, 16);
const FIXED_SUMS: usize = memory.data(64 * 160, 16);
const RESULTS: usize = memory.data(64 * 240, 16);

const BETA: usize = memory.data(80, 16);
const MINUS_SEVEN: usize = memory.data(80, 16);
const T: usize = memory.data(80, 16);
const U: usize = memory.data(80, 16);
const BYTES: usize = memory.data(32, 8);

const PRODUCTS: usize = memory.data(2 * 64 * 32, 8);
const INVERSE: usize = memory.data(32, 8);
const REST: usize = memory.data(32, 8);
const NUMBER: usize = memory.data(32, 8);

/** Where the caller writes signatures, and coordinates for `setUp`. */
export function slotAt(i: usize): usize {
  return SLOTS + i * SLOT;
}

/** Prepares the multiples of G. The first slot has G's coordinates, β and −7, of 32 bytes each. */
export function setUp(): void {
  prepare();
  read(BETA, SLOTS + 64, SLOTS + 64);
  read(MINUS_SEVEN, SLOTS + 96, SLOTS + 96);
  const bases = SUMS, doubles = OTHERS, sums = OTHERS + FIXED_WINDOWS * POINT;
  read(bases, SLOTS, SLOTS);
  read(bases + E, SLOTS + 32, SLOTS + 32);
  for (let i: usize = 1; i < FIXED_WINDOWS; i++) {
    const base = bases + i * POINT;
    doubleAll(base, base - POINT, 1, PREFIXES);
    for (let k: usize = 1; k < FIXED_WINDOW; k++) doubleAll(base, base, 1, PREFIXES);
  }
  doubleAll(doubles, bases, FIXED_WINDOWS, PREFIXES);
  memory.copy(sums, bases, FIXED_WINDOWS * POINT);
  for (let odd: usize = 0; odd < FIXED_ODDS; odd++) {
    if (odd > 0) addAll(sums, sums, doubles, FIXED_WINDOWS, PREFIXES);
    for (let i: usize = 0; i < FIXED_WINDOWS; i++) keepFixed(FIXED_POINTS + (i * FIXED_ODDS + odd) * E, sums + i * POINT);
  }
}

/** Multiplies the numbers r of so many signatures; returns where the product is, lowest byte first. */
export function multiplyAll(count: usize): usize {
  readScalar(PRODUCTS, SLOTS);
  for (let i: usize = 1; i < count; i++) {
    const product = PRODUCTS + i * SCALAR;
    readScalar(NUMBER, SLOTS + i * SLOT);
    multiplyScalars(product, product - SCALAR, NUMBER);
  }
  return PRODUCTS + (count - 1) * SCALAR;
}

/** Computes u₁ and u₂ of so many signatures. The caller has put the inverse in the place of their product. */
export function setScalars(count: usize): void {
  memory.copy(REST, PRODUCTS + (count - 1) * SCALAR, SCALAR);
  for (let i = count; i > 0; i--) {
    const slot = SLOTS + (i - 1) * SLOT;
    if (i == 1) memory.copy(INVERSE, REST, SCALAR);
    else {
      multiplyScalars(INVERSE, REST, PRODUCTS + (i - 2) * SCALAR);
      readScalar(NUMBER, slot);
      multiplyScalars(REST, REST, NUMBER);
    }
    readScalar(NUMBER, slot + DIGEST);
    multiplyScalars(NUMBER, NUMBER, INVERSE);
    negateToOdd(slot + FIXED, NUMBER);
    readScalar(NUMBER, slot + S);
    multiplyScalars(NUMBER, NUMBER, INVERSE);
    splitScalar(slot + HALVES, slot + SIGNS, NUMBER);
  }
}

/** Keeps the first lane of a point. */
function keepFixed(to: usize, point: usize): void {
  for (let i: usize = 0; i < 10; i++) store<f64>(to + (i << 3), load<f64>(point + (i << 4)));
}

/** The odd digit number i of an odd scalar. */
@inline
function digitAt(scalar: usize, i: usize, window: usize, windows: usize): i32 {
  const bit = i * window;
  const bits = load<u32>(scalar + (bit >> 3)) >> u32(bit & 7);
  if (i == windows - 1) return i32((bits & ((u32(1) << u32(window)) - 1)) | 1);
  return i32((bits & ((u32(2) << u32(window)) - 1)) | 1) - (i32(1) << i32(window));
}

/** Writes a lane of a point with the coordinates at x and y, whose digits are `step` bytes apart. */
@inline
function placeLane(to: usize, lane: usize, x: usize, y: usize, step: usize, isNegative: bool): void {
  const out = to + (lane << 3);
  for (let i: usize = 0; i < 5; i++) {
    store<f64>(out + (i << 4), load<f64>(x + i * step));
    const digit = load<f64>(y + i * step);
    store<f64>(out + E + (i << 4), isNegative ? -digit : digit);
  }
}

/** R from its x coordinate and the parity of y. */
function liftPoint(point: usize, first: usize): void {
  const second = first + SLOT;
  read(point, first, second);
  square(T, point);
  multiply(T, T, point);
  subtract(T, T, MINUS_SEVEN);
  squareRoot(point + E, T);
  square(U, point + E);
  subtract(U, U, T);
  for (let lane: usize = 0; lane < 2; lane++) {
    const slot = lane ? second : first;
    writeLane(BYTES, U, lane);
    const rest = load<u64>(BYTES) | load<u64>(BYTES, 8) | load<u64>(BYTES, 16) | load<u64>(BYTES, 24);
    store<u8>(slot + IS_POINT, u8(rest == 0));
    writeLane(BYTES, point + E, lane);
    if ((load<u8>(BYTES, 31) & 1) != load<u8>(slot + PARITY)) negateLane(point + E, lane);
  }
}

/** The sums of G's multiples. */
function addFixed(pairs: usize): bool {
  for (let i: usize = 0; i < FIXED_WINDOWS; i++) {
    for (let k: usize = 0; k < 2 * pairs; k++) {
      const digit = digitAt(SLOTS + k * SLOT + FIXED, i, FIXED_WINDOW, FIXED_WINDOWS);
      const from = FIXED_POINTS + (i * FIXED_ODDS + usize((digit < 0 ? -digit : digit) >> 1)) * E;
      placeLane(SUMS + (i * pairs + (k >> 1)) * POINT, k & 1, from, from + 40, 8, digit < 0);
    }
  }
  let count: usize = FIXED_WINDOWS;
  while (count > 1) {
    const half = count >> 1;
    if (!addAll(SUMS, SUMS, SUMS + half * pairs * POINT, half * pairs, PREFIXES)) return false;
    if (count & 1) memory.copy(SUMS + half * pairs * POINT, SUMS + 2 * half * pairs * POINT, pairs * POINT);
    count = half + (count & 1);
  }
  memory.copy(FIXED_SUMS, SUMS, pairs * POINT);
  return true;
}

/** R's odd multiples, and those of λ·R. */
function listMultiples(pairs: usize): bool {
  for (let i: usize = 0; i < pairs; i++) liftPoint(MULTIPLES + i * POINT, SLOTS + 2 * i * SLOT);
  doubleAll(DOUBLES, MULTIPLES, pairs, PREFIXES);
  for (let odd: usize = 1; odd < ODDS; odd++) {
    const to = MULTIPLES + odd * pairs * POINT;
    if (!addAll(to, to - pairs * POINT, DOUBLES, pairs, PREFIXES)) return false;
  }
  for (let i: usize = 0; i < ODDS * pairs; i++) multiply(TURNED + i * E, MULTIPLES + i * POINT, BETA);
  return true;
}

/** For each digit the sum of R's multiples. */
function addDigits(pairs: usize): bool {
  for (let i: usize = 0; i < WINDOWS; i++) {
    for (let k: usize = 0; k < 2 * pairs; k++) {
      const slot = SLOTS + k * SLOT, pair = k >> 1, lane = k & 1;
      const first = digitAt(slot + HALVES, i, WINDOW, WINDOWS);
      const other = digitAt(slot + HALVES + HALF, i, WINDOW, WINDOWS);
      const to = (i * pairs + pair) * POINT;
      const m = usize((first < 0 ? -first : first) >> 1) * pairs + pair;
      const n = usize((other < 0 ? -other : other) >> 1) * pairs + pair;
      const x = MULTIPLES + m * POINT + (lane << 3), y = MULTIPLES + n * POINT + E + (lane << 3);
      placeLane(SUMS + to, lane, x, x + E, 16, (first < 0) != (load<u8>(slot + SIGNS) != 0));
      placeLane(OTHERS + to, lane, TURNED + n * E + (lane << 3), y, 16, (other < 0) != (load<u8>(slot + SIGNS, 1) != 0));
    }
  }
  return addAll(SUMS, SUMS, OTHERS, WINDOWS * pairs, PREFIXES);
}

function multiplyPoint(result: usize, pair: usize, pairs: usize): void {
  memory.copy(result, SUMS + ((WINDOWS - 1) * pairs + pair) * POINT, POINT);
  memory.fill(result + POINT, 0, E);
  v128.store(result + POINT, f64x2.splat(1));
  for (let i = WINDOWS - 1; i > 0; i--) {
    for (let k: usize = 0; k < WINDOW; k++) doublePoint(result);
    addPoint(result, SUMS + ((i - 1) * pairs + pair) * POINT);
  }
}

/** Recovers the keys of the signatures in the first slots, two for each pair. False if one of them has to be recovered otherwise. */
export function recover(pairs: usize): bool {
  if (!addFixed(pairs) || !listMultiples(pairs) || !addDigits(pairs)) return false;
  for (let i: usize = 0; i < pairs; i++) multiplyPoint(RESULTS + i * JACOBIAN, i, pairs);
  if (!normalizeAll(SUMS, RESULTS, pairs, PREFIXES)) return false;
  if (!addAll(SUMS, SUMS, FIXED_SUMS, pairs, PREFIXES)) return false;
  for (let k: usize = 0; k < 2 * pairs; k++) {
    const key = SLOTS + k * SLOT + KEY, point = SUMS + (k >> 1) * POINT;
    writeLane(key, point, k & 1);
    writeLane(key + 32, point + E, k & 1);
  }
  return true;
}
