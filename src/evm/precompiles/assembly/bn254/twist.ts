// Points of the twist in homogeneous coordinates (X, Y, Z). The formulas of Renes, Costello and Batina for a = 0 hold for
// every pair of points, infinity (0, 1, 0) included, because the group has no element of order two.
import { isAllZero, read } from './bytes';
import { INFINITY, NO_POINT, SOME_POINT } from './curve';
import { add, addMultiple, conjugate, copy, ELEMENT, isZero, multiply, subtract } from './field';
import { ONE, ROOTS } from './tower';

const E: usize = ELEMENT;
export const POINT: usize = 3 * 80;

/** The twist's b and 3b. */
export const TWIST: usize = memory.data(160, 16);

const T0: usize = memory.data(80, 16);
const T1: usize = memory.data(80, 16);
const T2: usize = memory.data(80, 16);
const T3: usize = memory.data(80, 16);
const T4: usize = memory.data(80, 16);
const T5: usize = memory.data(80, 16);

/** out = (a + b)·(c + d) − e − f. */
function cross(out: usize, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize): void {
  add(out, a, b);
  add(T5, c, d);
  multiply(out, out, T5);
  subtract(out, out, e);
  subtract(out, out, f);
}

const YZ: usize = memory.data(80, 16);

function addPoints(out: usize, p: usize, q: usize): void {
  multiply(T0, p, q);
  multiply(T1, p + E, q + E);
  multiply(T2, p + 2 * E, q + 2 * E);
  cross(T3, p, p + E, q, q + E, T0, T1);
  cross(YZ, p + E, p + 2 * E, q + E, q + 2 * E, T1, T2);
  cross(T4, p, p + 2 * E, q, q + 2 * E, T0, T2);
  multiply(T2, T2, TWIST + E);
  multiply(T4, T4, TWIST + E);
  addMultiple(T0, T0, T0, 2);
  add(T5, T1, T2);
  subtract(T1, T1, T2);
  // X = T3·T1 − YZ·T4, Y = T1·T5 + T4·T0, Z = T5·YZ + T0·T3
  multiply(out, T3, T1);
  multiply(T2, YZ, T4);
  subtract(out, out, T2);
  multiply(out + E, T1, T5);
  multiply(T2, T4, T0);
  add(out + E, out + E, T2);
  multiply(out + 2 * E, T5, YZ);
  multiply(T2, T0, T3);
  add(out + 2 * E, out + 2 * E, T2);
}

function doublePoint(out: usize, p: usize): void {
  multiply(T0, p + E, p + E);
  multiply(T1, p + E, p + 2 * E);
  multiply(T2, p + 2 * E, p + 2 * E);
  multiply(T3, p, p + E);
  multiply(T2, T2, TWIST + E);
  // T4 = 8Y²
  addMultiple(T4, T0, T0, 3);
  add(T4, T4, T4);
  add(T5, T0, T2);
  addMultiple(T0, T0, T2, -3);
  multiply(out + 2 * E, T1, T4);
  multiply(out + E, T0, T5);
  multiply(T2, T2, T4);
  add(out + E, out + E, T2);
  multiply(out, T0, T3);
  add(out, out, out);
}

/** Reads x and y, the imaginary half of each first, with Z = 1, as a point of the group of the curve's order. */
export function readTwistPoint(p: usize, at: usize): i32 {
  if (isAllZero(at, 128)) return INFINITY;
  if (!read(p, at + 32, at) || !read(p + E, at + 96, at + 64)) return NO_POINT;
  copy(p + 2 * E, ONE);
  multiply(T0, p, p);
  multiply(T0, T0, p);
  add(T0, T0, TWIST);
  multiply(T1, p + E, p + E);
  subtract(T0, T0, T1);
  return isZero(T0) && isInSubgroup(p) ? SOME_POINT : NO_POINT;
}

/** out = the twist's endomorphism ψ, which multiplies points of the pairing's group by p. */
export function frobenius(out: usize, p: usize): void {
  for (let i: usize = 0; i < POINT; i += E) conjugate(out + i, p + i);
  multiply(out, out, ROOTS + 2 * E);
  multiply(out + E, out + E, ROOTS + 3 * E);
}

/** The number u from which all of the curve's parameters derive. */
export const PARAMETER: u64 = 4965661367192848881;

const MULTIPLE: usize = memory.data(240, 16);
const TOTAL: usize = memory.data(240, 16);

/**
 * Whether a point of the twist belongs to the group of the curve's order: exactly when
 * [u+1]P + ψ([u]P) + ψ²([u]P) = ψ³([2u]P), u being the parameter.
 */
function isInSubgroup(p: usize): bool {
  memory.copy(MULTIPLE, p, POINT);
  for (let i: u64 = 62; i > 0; i--) {
    doublePoint(MULTIPLE, MULTIPLE);
    if ((PARAMETER >> (i - 1)) & 1) addPoints(MULTIPLE, MULTIPLE, p);
  }
  addPoints(TOTAL, MULTIPLE, p);
  frobenius(MULTIPLE, MULTIPLE);
  addPoints(TOTAL, TOTAL, MULTIPLE);
  frobenius(MULTIPLE, MULTIPLE);
  addPoints(TOTAL, TOTAL, MULTIPLE);
  frobenius(MULTIPLE, MULTIPLE);
  doublePoint(MULTIPLE, MULTIPLE);
  return isSame(TOTAL, MULTIPLE);
}

function isSame(p: usize, q: usize): bool {
  for (let i: usize = 0; i < 2; i++) {
    multiply(T0, p + i * E, q + 2 * E);
    multiply(T1, q + i * E, p + 2 * E);
    subtract(T0, T0, T1);
    if (!isZero(T0)) return false;
  }
  return isZero(p + 2 * E) == isZero(q + 2 * E);
}
