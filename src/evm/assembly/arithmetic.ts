// ADD … SIGNEXTEND without the two that are inlined into the loop. Results may overwrite operands.
import { digits, divideDigits } from './divide';
import { multiplyWide } from './multiply';
import { add, clear, copy, copyLimbs, isZero, less, negate, set, subtract, upper } from './word';

export { power } from './power';

const QUOTIENT = memory.data(64);
const REMAINDER = memory.data(32);
const WIDE = memory.data(64);
const LEFT = memory.data(32);
const RIGHT = memory.data(32);

/** quotient = a / b and remainder = a mod b, b ≠ 0; one of them may be a or b, and the other one is none of them. */
function divideWords(quotient: usize, remainder: usize, a: usize, b: usize): void {
  if ((upper(a) | upper(b)) == 0) {
    const x = load<u64>(a), y = load<u64>(b);
    const q = x / y;
    set(quotient, q);
    set(remainder, x - q * y);
    return;
  }
  if (less(a, b)) {
    copyLimbs(remainder, a);
    clear(quotient);
    return;
  }
  const n = digits(a, 4), m = digits(b, 4);
  divideDigits(a, n, b, m, quotient, remainder);
  for (let i = n - m + 1; i < 4; i++) store<u64>(quotient + (i << 3), 0);
}

/** Divides the magnitudes; returns bit 0 if a was negative, bit 1 if b was. */
function divideSigned(quotient: usize, remainder: usize, a: usize, b: usize): i32 {
  const signs = i32(load<i64>(a, 24) < 0) | (i32(load<i64>(b, 24) < 0) << 1);
  if (signs & 1) {
    copyLimbs(LEFT, a);
    negate(LEFT);
    a = LEFT;
  }
  if (signs & 2) {
    copyLimbs(RIGHT, b);
    negate(RIGHT);
    b = RIGHT;
  }
  divideWords(quotient, remainder, a, b);
  return signs;
}

export function divide(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  divideWords(to, REMAINDER, a, b);
}

export function modulo(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  divideWords(QUOTIENT, to, a, b);
}

export function signedDivide(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  const signs = divideSigned(to, REMAINDER, a, b);
  if (signs == 1 || signs == 2) negate(to);
}

/** The remainder has the sign of the dividend. */
export function signedModulo(to: usize, a: usize, b: usize): void {
  if (isZero(b)) return clear(to);
  if (divideSigned(QUOTIENT, to, a, b) & 1) negate(to);
}

/** WIDE modulo m, where WIDE has n significant digits. */
function reduce(to: usize, n: i32, m: usize): void {
  const k = digits(m, 4);
  if (n < k || (n <= 4 && less(WIDE, m))) copyLimbs(to, WIDE);
  else divideDigits(WIDE, n, m, k, QUOTIENT, to);
}

export function addModulo(to: usize, a: usize, b: usize, m: usize): void {
  const top = load<u64>(m, 24);
  if (top != 0 && load<u64>(a, 24) <= top && load<u64>(b, 24) <= top) {
    // Both are below twice the modulus, as is the sum of what is left of them.
    if (!less(a, m)) {
      subtract(LEFT, a, m);
      a = LEFT;
    }
    if (!less(b, m)) {
      subtract(RIGHT, b, m);
      b = RIGHT;
    }
    add(WIDE, a, b);
    if (less(WIDE, a) || !less(WIDE, m)) subtract(to, WIDE, m);
    else copyLimbs(to, WIDE);
    return;
  }
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
