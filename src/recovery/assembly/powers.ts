// Inverses and square roots: powers of which the exponents are p's bits, but for the lowest.
import { copy, multiply, square } from './field';

const X2: usize = memory.data(80, 16);
const X3: usize = memory.data(80, 16);
const X11: usize = memory.data(80, 16);
const X22: usize = memory.data(80, 16);
const X44: usize = memory.data(80, 16);
const X88: usize = memory.data(80, 16);
const POWER: usize = memory.data(80, 16);

/** POWER = POWER to the power of 2 ^ count, times y. */
function shift(count: i32, y: usize): void {
  for (let i = 0; i < count; i++) square(POWER, POWER);
  multiply(POWER, POWER, y);
}

/** POWER = x to the power whose bits are the highest 246 of p, of which only the 224th is zero; X2 = x³. */
function raise(x: usize): void {
  copy(POWER, x);
  shift(1, x);
  copy(X2, POWER);
  shift(1, x);
  copy(X3, POWER);
  shift(3, X3);
  shift(3, X3);
  shift(2, X2);
  copy(X11, POWER);
  shift(11, X11);
  copy(X22, POWER);
  shift(22, X22);
  copy(X44, POWER);
  shift(44, X44);
  copy(X88, POWER);
  shift(88, X88);
  shift(44, X44);
  shift(3, X3);
  shift(23, X22);
}

/** out = x⁻¹, or zero for zero. */
export function invert(out: usize, x: usize): void {
  raise(x);
  shift(5, x);
  shift(3, X2);
  shift(2, x);
  copy(out, POWER);
}

/** out = a square root of x, or of −x if x has none. */
export function squareRoot(out: usize, x: usize): void {
  raise(x);
  shift(6, X2);
  square(POWER, POWER);
  square(out, POWER);
}
