// The extensions of degree 6, F[v] with v³ = ξ = 9 + i over the quadratic one, and 12, with w² = v. Coefficients are
// consecutive; results may overwrite an argument.
import {
  add, addMultiple, addTurned, conjugate, copy, ELEMENT, isZero, multiply, multiplyLanes, negate, subtract,
} from './field';

const E: usize = ELEMENT;
export const SIXTH: usize = 3 * 80;
export const TWELFTH: usize = 6 * 80;

const NINE: usize = memory.data(80, 16);

/** out = ξ·x. */
export function multiplyByXi(out: usize, x: usize): void {
  addMultiple(NINE, x, x, 3);
  addMultiple(NINE, x, NINE, 2);
  addTurned(out, NINE, x);
}

// Scratch elements of the products of degree 6.
const A: usize = memory.data(80, 16);
const B: usize = memory.data(80, 16);
const V0: usize = memory.data(80, 16);
const V1: usize = memory.data(80, 16);
const V2: usize = memory.data(80, 16);
const C0: usize = memory.data(80, 16);
const C1: usize = memory.data(80, 16);

/** out = (x + x')·(y + y') − v − v'. */
function multiplyCross(out: usize, x: usize, xx: usize, y: usize, yy: usize, v: usize, vv: usize): void {
  add(A, x, xx);
  add(B, y, yy);
  multiply(out, A, B);
  subtract(out, out, v);
  subtract(out, out, vv);
}

function multiply6(out: usize, x: usize, y: usize): void {
  multiply(V0, x, y);
  multiply(V1, x + E, y + E);
  multiply(V2, x + 2 * E, y + 2 * E);
  multiplyCross(C0, x + E, x + 2 * E, y + E, y + 2 * E, V1, V2);
  multiplyByXi(C0, C0);
  add(C0, C0, V0);
  multiplyCross(C1, x, x + E, y, y + E, V0, V1);
  multiplyCross(out + 2 * E, x, x + 2 * E, y, y + 2 * E, V0, V2);
  add(out + 2 * E, out + 2 * E, V1);
  multiplyByXi(V2, V2);
  add(out + E, C1, V2);
  copy(out, C0);
}

/** out = x·(y0 + y1·v). */
function multiply6By01(out: usize, x: usize, y0: usize, y1: usize): void {
  multiply(V0, x, y0);
  multiply(V1, x + E, y1);
  add(A, x + E, x + 2 * E);
  multiply(C0, A, y1);
  subtract(C0, C0, V1);
  multiplyByXi(C0, C0);
  multiplyCross(C1, x, x + E, y0, y1, V0, V1);
  multiply(V2, x + 2 * E, y0);
  add(out + 2 * E, V2, V1);
  add(out, C0, V0);
  copy(out + E, C1);
}

function add6(out: usize, x: usize, y: usize): void {
  for (let i: usize = 0; i < SIXTH; i += E) add(out + i, x + i, y + i);
}

function subtract6(out: usize, x: usize, y: usize): void {
  for (let i: usize = 0; i < SIXTH; i += E) subtract(out + i, x + i, y + i);
}

/** out = v·x; not in place. */
function multiply6ByV(out: usize, x: usize): void {
  multiplyByXi(out, x + 2 * E);
  memory.copy(out + E, x, 2 * E);
}

// Scratch of degree 6 for what has degree 12.
const S0: usize = memory.data(240, 16);
const S1: usize = memory.data(240, 16);
const S2: usize = memory.data(240, 16);
const S3: usize = memory.data(240, 16);

/** From x0·y0 (S0), x1·y1 (S1) and (x0 + x1)·(y0 + y1) (S2) the product. */
function join(out: usize): void {
  subtract6(S2, S2, S0);
  subtract6(out + SIXTH, S2, S1);
  multiply6ByV(S2, S1);
  add6(out, S0, S2);
}

export function multiply12(out: usize, x: usize, y: usize): void {
  add6(S2, x, x + SIXTH);
  add6(S3, y, y + SIXTH);
  multiply6(S2, S2, S3);
  multiply6(S0, x, y);
  multiply6(S1, x + SIXTH, y + SIXTH);
  join(out);
}

const SUM: usize = memory.data(80, 16);

/** x = x·(y0 + (y3 + y4·v)·w): a line. */
export function multiplyByLine(x: usize, y0: usize, y3: usize, y4: usize): void {
  for (let i: usize = 0; i < SIXTH; i += E) multiply(S0 + i, x + i, y0);
  multiply6By01(S1, x + SIXTH, y3, y4);
  add6(S2, x, x + SIXTH);
  add(SUM, y0, y3);
  multiply6By01(S2, S2, SUM, y4);
  join(x);
}

export function square12(out: usize, x: usize): void {
  add6(S0, x, x + SIXTH);
  multiply6ByV(S1, x + SIXTH);
  add6(S1, S1, x);
  multiply6(S0, S0, S1);
  multiply6(S2, x, x + SIXTH);
  subtract6(S0, S0, S2);
  multiply6ByV(S1, S2);
  subtract6(out, S0, S1);
  add6(out + SIXTH, S2, S2);
}

/** real, other: of (x + y·s)² with s² = ξ. */
function squarePair(real: usize, other: usize, x: usize, y: usize): void {
  add(A, x, y);
  multiplyByXi(B, y);
  add(B, B, x);
  multiply(other, x, y);
  multiply(real, A, B);
  subtract(real, real, other);
  multiplyByXi(A, other);
  subtract(real, real, A);
  add(other, other, other);
}

/** out = 3x + 2n·y for n of 1 or −1. */
function combine(out: usize, x: usize, y: usize, n: f64): void {
  addMultiple(A, x, y, n);
  addMultiple(out, x, A, 2);
}

/** The square of an element whose norm over the field of degree 6 is one (Granger and Scott). */
export function squareCyclotomic(out: usize, x: usize): void {
  squarePair(S0, S0 + E, x, x + 4 * E);
  squarePair(S1, S1 + E, x + 3 * E, x + 2 * E);
  squarePair(S2, S2 + E, x + E, x + 5 * E);
  combine(out, S0, x, -1);
  combine(out + 4 * E, S0 + E, x + 4 * E, 1);
  multiplyByXi(S2 + E, S2 + E);
  combine(out + 3 * E, S2 + E, x + 3 * E, 1);
  combine(out + 2 * E, S2, x + 2 * E, -1);
  combine(out + E, S1, x + E, -1);
  combine(out + 5 * E, S1 + E, x + 5 * E, 1);
}

/** out = x to the power p⁶, for a norm of one also the inverse. */
export function conjugate12(out: usize, x: usize): void {
  memory.copy(out, x, SIXTH);
  for (let i = SIXTH; i < TWELFTH; i += E) negate(out + i, x + i);
}

/** ξ to the powers i·(p−1)/6, for i from 0 to 5. */
export const ROOTS: usize = memory.data(480, 16);

/** out = x to the power p. */
export function frobenius12(out: usize, x: usize): void {
  for (let i: usize = 0; i < 3; i++) {
    conjugate(out + i * E, x + i * E);
    multiply(out + i * E, out + i * E, ROOTS + 2 * i * E);
    conjugate(out + (i + 3) * E, x + (i + 3) * E);
    multiply(out + (i + 3) * E, out + (i + 3) * E, ROOTS + (2 * i + 1) * E);
  }
}

/** One in both lanes, and in the first only. */
export const ONES: usize = memory.data(80, 16);
export const ONE: usize = memory.data(80, 16);

/** p − 2. */
const EXPONENT: usize = memory.data<u64>([
  0x3c208c16d87cfd45, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029,
], 16);
const POWERS: usize = memory.data(16 * 80, 16);
const BASE: usize = memory.data(80, 16);

/** out = x⁻¹ in each lane, by Fermat's theorem; the inverse of zero is zero. */
export function invertLanes(out: usize, x: usize): void {
  copy(POWERS, ONES);
  for (let i: usize = 1; i < 16; i++) multiplyLanes(POWERS + i * E, POWERS + (i - 1) * E, x);
  copy(BASE, ONES);
  for (let i = 63; i >= 0; i--) {
    for (let k = 0; k < 4; k++) multiplyLanes(BASE, BASE, BASE);
    const digit = (load<u8>(EXPONENT + usize(i >> 1)) >> (u8(i & 1) << 2)) & 15;
    if (digit) multiplyLanes(BASE, BASE, POWERS + usize(digit) * E);
  }
  copy(out, BASE);
}

const NORM: usize = memory.data(80, 16);

/** out = x⁻¹ in the quadratic extension. */
function invert(out: usize, x: usize): void {
  conjugate(A, x);
  multiply(NORM, x, A);
  for (let i: usize = 0; i < E; i += 16) v128.store(NORM + i, v128.load_splat<u64>(NORM + i));
  invertLanes(NORM, NORM);
  multiplyLanes(out, A, NORM);
}

function invert6(out: usize, x: usize): void {
  multiply(C0, x + E, x + 2 * E);
  multiplyByXi(C0, C0);
  multiply(V0, x, x);
  subtract(C0, V0, C0);
  multiply(C1, x + 2 * E, x + 2 * E);
  multiplyByXi(C1, C1);
  multiply(V0, x, x + E);
  subtract(C1, C1, V0);
  multiply(V2, x + E, x + E);
  multiply(V0, x, x + 2 * E);
  subtract(V2, V2, V0);
  multiply(V0, x + 2 * E, C1);
  multiply(V1, x + E, V2);
  add(V0, V0, V1);
  multiplyByXi(V0, V0);
  multiply(V1, x, C0);
  add(V0, V0, V1);
  invert(V0, V0);
  multiply(out, C0, V0);
  multiply(out + E, C1, V0);
  multiply(out + 2 * E, V2, V0);
}

export function invert12(out: usize, x: usize): void {
  multiply6(S0, x, x);
  multiply6(S1, x + SIXTH, x + SIXTH);
  multiply6ByV(S2, S1);
  subtract6(S0, S0, S2);
  invert6(S3, S0);
  multiply6(out, x, S3);
  multiply6(out + SIXTH, x + SIXTH, S3);
  for (let i = SIXTH; i < TWELFTH; i += E) negate(out + i, out + i);
}

export function setOne12(out: usize): void {
  memory.fill(out, 0, TWELFTH);
  copy(out, ONE);
}

export function isOne12(x: usize): bool {
  subtract(A, x, ONE);
  let all = isZero(A);
  for (let i = E; i < TWELFTH; i += E) all = all && isZero(x + i);
  return all;
}
