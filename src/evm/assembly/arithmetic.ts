// ADD … SIGNEXTEND without the two that are inlined into the loop. Results may overwrite operands.
import { digits, divideDigits } from './divide';
import { multiply, multiplyWide, square } from './multiply';
import { add, byteLength, clear, copy, isZero, less, negate, set, upper } from './word';

const QUOTIENT = memory.data(64);
const REMAINDER = memory.data(32);
const WIDE = memory.data(64);
const LEFT = memory.data(32);
const RIGHT = memory.data(32);

/** QUOTIENT and REMAINDER of a / b, b ≠ 0. */
function divideWords(a: usize, b: usize): void {
  if ((upper(a) | upper(b)) == 0) {
    const x = load<u64>(a), y = load<u64>(b);
    const q = x / y;
    set(QUOTIENT, q);
    set(REMAINDER, x - q * y);
    return;
  }
  clear(QUOTIENT);
  if (less(a, b)) copy(REMAINDER, a);
  else divideDigits(a, digits(a, 4), b, digits(b, 4), QUOTIENT, REMAINDER);
}

/** Divides the magnitudes; returns bit 0 if a was negative, bit 1 if b was. */
function divideSigned(a: usize, b: usize): i32 {
  const signs = i32(load<i64>(a, 24) < 0) | (i32(load<i64>(b, 24) < 0) << 1);
  copy(LEFT, a);
  copy(RIGHT, b);
  if (signs & 1) negate(LEFT);
  if (signs & 2) negate(RIGHT);
  divideWords(LEFT, RIGHT);
  return signs;
}

export function divide(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  divideWords(a, b);
  copy(to, QUOTIENT);
}

export function modulo(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  divideWords(a, b);
  copy(to, REMAINDER);
}

export function signedDivide(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  const signs = divideSigned(a, b);
  if (signs == 1 || signs == 2) negate(QUOTIENT);
  copy(to, QUOTIENT);
}

/** The remainder has the sign of the dividend. */
export function signedModulo(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  if (divideSigned(a, b) & 1) negate(REMAINDER);
  copy(to, REMAINDER);
}

/** WIDE modulo m, where WIDE has n significant digits. */
function reduce(to: usize, n: i32, m: usize): void {
  const k = digits(m, 4);
  if (n < k || (n <= 4 && less(WIDE, m))) return copy(to, WIDE);
  divideDigits(WIDE, n, m, k, 0, REMAINDER);
  copy(to, REMAINDER);
}

export function addModulo(to: usize, a: usize, b: usize, m: usize): void {
  if (isZero(m)) return clear(to);
  add(WIDE, a, b);
  const carry = less(WIDE, a);
  store<u64>(WIDE, u64(carry), 32);
  reduce(to, carry ? 5 : digits(WIDE, 4), m);
}

export function multiplyModulo(to: usize, a: usize, b: usize, m: usize): void {
  if (isZero(m)) return clear(to);
  multiplyWide(WIDE, a, b);
  reduce(to, digits(WIDE, 8), m);
}

/** Square and multiply from the lowest bit; the last squaring is not needed. */
export function power(to: usize, base: usize, exponent: usize): void {
  copy(LEFT, base);
  copy(RIGHT, exponent);
  set(WIDE, 1);
  let left = byteLength(RIGHT) << 3;
  while (left > 0 && !bitOf(RIGHT, left - 1)) left--;
  for (let i = 0; i < left; i++) {
    if (bitOf(RIGHT, i)) multiply(WIDE, WIDE, LEFT);
    if (i + 1 < left) square(LEFT, LEFT);
  }
  copy(to, WIDE);
}

@inline
function bitOf(at: usize, i: i32): bool {
  return ((load<u8>(at + (i >> 3)) >> u8(i & 7)) & 1) != 0;
}

/** Extends the sign of the number whose last byte is the k-th. */
export function signExtend(to: usize, k: usize, x: usize): void {
  if (upper(k) != 0 || load<u64>(k) > 30) return copy(to, x);
  const n = u32(load<u64>(k));
  const limb = n >> 3;
  const shift = i64(56 - ((n & 7) << 3));
  const top = (load<i64>(x + (limb << 3)) << shift) >> shift;
  for (let i: u32 = 0; i < 4; i++) {
    store<i64>(to + (i << 3), i < limb ? load<i64>(x + (i << 3)) : i == limb ? top : top >> 63);
  }
}
