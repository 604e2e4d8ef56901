// The sum of two points of bn254 (EIP-196), and the inverse of a field element. Numbers are below p, in nine digits of 29 bits
// (nineDigits.ts), and not in Montgomery's form: constants bring in the powers of R that its products take away.
import { invertModulo } from './inverse';
import { multiplyNine, NINE_DIGITS, toDigits, toLimbs } from './nineDigits';

const P: usize = memory.data<u32>([
  0x187cfd47, 0x010460b6, 0x1c72a34f, 0x02d522d0, 0x1585d978, 0x02db40c0, 0x00a6e141, 0x0e5c2634, 0x0030644e,
]);
/** p in limbs of 30 bits, and p⁻¹ modulo 2³⁰. */
const P_LIMBS: usize = memory.data<u32>([
  0x187cfd47, 0x3082305b, 0x071ca8d3, 0x205aa45a, 0x01585d97, 0x0116da06, 0x1a029b85, 0x139cb84c, 0x00003064,
]);
const P_INVERSE: u32 = 0x1b799c77;
/** −p⁻¹ modulo 2³². */
const NEGATED_INVERSE: u32 = 0xe4866389;
/** R² and R³ modulo p. */
const R2: usize = memory.data<u32>([
  0x059bac10, 0x0d1503a3, 0x018016b8, 0x10ab0ca8, 0x02632639, 0x02c0169f, 0x169bfd53, 0x11869d4c, 0x002a11a6,
]);
const R3: usize = memory.data<u32>([
  0x0e2312b2, 0x16c05ca2, 0x0bc84389, 0x1cdf310b, 0x11adafdd, 0x032e568e, 0x1d6ae48c, 0x10d4cd1f, 0x0026c2d2,
]);
/** 3·R⁻² modulo p, where 3 is the curve's constant. */
const B: usize = memory.data<u32>([
  0x17a03a02, 0x11993899, 0x15891540, 0x0b65dfbd, 0x0e9ca100, 0x0355a194, 0x06ac3569, 0x0c046fca, 0x001d3311,
]);
const ONE: usize = memory.data<u32>([1, 0, 0, 0, 0, 0, 0, 0, 0]);
const ZERO: usize = memory.data<u32>([0, 0, 0, 0, 0, 0, 0, 0, 0]);

const P0: u64 = 0x3c208c16d87cfd47;
const P1: u64 = 0x97816a916871ca8d;
const P2: u64 = 0xb85045b68181585d;
const P3: u64 = 0x30644e72e131a029;

const MASK: i64 = 0x1fffffff;
const BITS: i64 = 29;

/** Two points of 64 bytes each; the sum overwrites the first. */
const POINTS: usize = memory.data(128, 16);

const X1: usize = memory.data(40, 8);
const Y1: usize = memory.data(40, 8);
const X2: usize = memory.data(40, 8);
const Y2: usize = memory.data(40, 8);
const SLOPE: usize = memory.data(40, 8);
const OVER: usize = memory.data(40, 8);
const UNDER: usize = memory.data(40, 8);
const T: usize = memory.data(40, 8);

export function pointsAt(): usize {
  return POINTS;
}

/** to = a − b modulo p. */
function subtract(to: usize, a: usize, b: usize): void {
  const s0 = <i64>load<u32>(a) - <i64>load<u32>(b);
  const s1 = <i64>load<u32>(a, 4) - <i64>load<u32>(b, 4) + (s0 >> BITS);
  const s2 = <i64>load<u32>(a, 8) - <i64>load<u32>(b, 8) + (s1 >> BITS);
  const s3 = <i64>load<u32>(a, 12) - <i64>load<u32>(b, 12) + (s2 >> BITS);
  const s4 = <i64>load<u32>(a, 16) - <i64>load<u32>(b, 16) + (s3 >> BITS);
  const s5 = <i64>load<u32>(a, 20) - <i64>load<u32>(b, 20) + (s4 >> BITS);
  const s6 = <i64>load<u32>(a, 24) - <i64>load<u32>(b, 24) + (s5 >> BITS);
  const s7 = <i64>load<u32>(a, 28) - <i64>load<u32>(b, 28) + (s6 >> BITS);
  const s8 = <i64>load<u32>(a, 32) - <i64>load<u32>(b, 32) + (s7 >> BITS);
  // All bits are set if the difference is negative: then p is added.
  const negative = s8 >> 63;
  const t0 = (s0 & MASK) + (<i64>load<u32>(P) & negative);
  const t1 = (s1 & MASK) + (<i64>load<u32>(P, 4) & negative) + (t0 >> BITS);
  const t2 = (s2 & MASK) + (<i64>load<u32>(P, 8) & negative) + (t1 >> BITS);
  const t3 = (s3 & MASK) + (<i64>load<u32>(P, 12) & negative) + (t2 >> BITS);
  const t4 = (s4 & MASK) + (<i64>load<u32>(P, 16) & negative) + (t3 >> BITS);
  const t5 = (s5 & MASK) + (<i64>load<u32>(P, 20) & negative) + (t4 >> BITS);
  const t6 = (s6 & MASK) + (<i64>load<u32>(P, 24) & negative) + (t5 >> BITS);
  const t7 = (s7 & MASK) + (<i64>load<u32>(P, 28) & negative) + (t6 >> BITS);
  const t8 = (s8 & MASK) + (<i64>load<u32>(P, 32) & negative) + (t7 >> BITS);
  store<u32>(to, <u32>(t0 & MASK));
  store<u32>(to, <u32>(t1 & MASK), 4);
  store<u32>(to, <u32>(t2 & MASK), 8);
  store<u32>(to, <u32>(t3 & MASK), 12);
  store<u32>(to, <u32>(t4 & MASK), 16);
  store<u32>(to, <u32>(t5 & MASK), 20);
  store<u32>(to, <u32>(t6 & MASK), 24);
  store<u32>(to, <u32>(t7 & MASK), 28);
  store<u32>(to, <u32>(t8 & MASK), 32);
}

/** to = a·b·R⁻¹ modulo p, but below twice p only: enough for a factor. */
@inline
function multiplyLoosely(to: usize, a: usize, b: usize): void {
  multiplyNine(to, a, b, P, NEGATED_INVERSE);
}

/** to = a·b·R⁻¹ modulo p. */
function multiply(to: usize, a: usize, b: usize): void {
  multiplyLoosely(to, a, b);
  subtract(to, to, P);
}

/** to = a + b modulo p; `to` is not a. */
function add(to: usize, a: usize, b: usize): void {
  subtract(to, ZERO, b);
  subtract(to, a, to);
}

function isSame(a: usize, b: usize): bool {
  let difference: u32 = 0;
  for (let i: usize = 0; i < NINE_DIGITS; i += 4) difference |= load<u32>(a + i) ^ load<u32>(b + i);
  return difference == 0;
}

/** Reads 32 big-endian bytes; returns false if the number is not below p. */
function readNumber(to: usize, at: usize): bool {
  const w3 = bswap(load<u64>(at)), w2 = bswap(load<u64>(at, 8));
  const w1 = bswap(load<u64>(at, 16)), w0 = bswap(load<u64>(at, 24));
  store<u64>(to, w0);
  store<u64>(to, w1, 8);
  store<u64>(to, w2, 16);
  store<u64>(to, w3, 24);
  toDigits(to);
  if (w3 != P3) return w3 < P3;
  if (w2 != P2) return w2 < P2;
  if (w1 != P1) return w1 < P1;
  return w0 < P0;
}

function writeNumber(at: usize, from: usize): void {
  for (let i: usize = 0; i < NINE_DIGITS; i += 4) store<u32>(T + i, load<u32>(from + i));
  toLimbs(T);
  const w0 = load<u64>(T), w1 = load<u64>(T, 8), w2 = load<u64>(T, 16), w3 = load<u64>(T, 24);
  store<u64>(at, bswap(w3));
  store<u64>(at, bswap(w2), 8);
  store<u64>(at, bswap(w1), 16);
  store<u64>(at, bswap(w0), 24);
}

/** to = x⁻¹ modulo p; 0 for 0. */
function invert(to: usize, x: usize): void {
  for (let i: usize = 0; i < NINE_DIGITS; i += 4) store<u32>(to + i, load<u32>(x + i));
  toLimbs(to);
  invertModulo(to, P_LIMBS, P_INVERSE);
  toDigits(to);
}

function isInfinity(at: usize): bool {
  let all: u64 = 0;
  for (let i: usize = 0; i < 64; i += 8) all |= load<u64>(at + i);
  return all == 0;
}

/** Reads a point; returns false if it is not on the curve: y² = x³ + 3, here divided by R². */
function readPoint(x: usize, y: usize, at: usize): bool {
  if (!readNumber(x, at) || !readNumber(y, at + 32)) return false;
  multiplyLoosely(OVER, y, y);
  multiply(OVER, OVER, ONE);
  multiplyLoosely(UNDER, x, x);
  multiply(UNDER, UNDER, x);
  subtract(OVER, OVER, UNDER);
  return isSame(OVER, B);
}

/** Adds the two points; returns false if one is invalid. Infinity is (0, 0). */
export function addPoints(): bool {
  const isFirstInfinity = isInfinity(POINTS), isSecondInfinity = isInfinity(POINTS + 64);
  if (!isFirstInfinity && !readPoint(X1, Y1, POINTS)) return false;
  if (!isSecondInfinity && !readPoint(X2, Y2, POINTS + 64)) return false;
  if (isSecondInfinity) return true;
  if (isFirstInfinity) {
    memory.copy(POINTS, POINTS + 64, 64);
    return true;
  }
  if (!isSame(X1, X2)) {
    subtract(OVER, Y2, Y1);
    subtract(UNDER, X2, X1);
  } else if (isSame(Y1, Y2)) {
    // The tangent: 3x² over 2y. No point has y = 0, because the curve's order is odd.
    multiplyLoosely(T, X1, X1);
    multiply(T, T, R2);
    add(OVER, T, T);
    add(UNDER, T, OVER);
    add(OVER, UNDER, ZERO);
    add(UNDER, Y1, Y1);
  } else {
    memory.fill(POINTS, 0, 64);
    return true;
  }
  invert(SLOPE, UNDER);
  multiplyLoosely(SLOPE, SLOPE, R3);
  multiplyLoosely(SLOPE, SLOPE, OVER);
  // The slope is in Montgomery's form now: its product with a number is that of the slope itself.
  multiplyLoosely(OVER, SLOPE, SLOPE);
  multiply(OVER, OVER, ONE);
  subtract(OVER, OVER, X1);
  subtract(OVER, OVER, X2);
  subtract(UNDER, X1, OVER);
  multiply(UNDER, UNDER, SLOPE);
  subtract(UNDER, UNDER, Y1);
  writeNumber(POINTS, OVER);
  writeNumber(POINTS + 32, UNDER);
  return true;
}

/** Replaces the 32 bytes at the beginning of the points by those of the inverse. */
export function invertFirst(): void {
  readNumber(UNDER, POINTS);
  invert(OVER, UNDER);
  writeNumber(POINTS, OVER);
}
