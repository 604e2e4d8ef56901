// The optimal ate pairing of bn254: Miller's loop over 6u + 2 for any number of pairs at once, then one exponentiation.
import { NO_POINT, readPoint } from './curve';
import { add, addMultiple, copy, ELEMENT, multiply, multiplyLanes, negate, square, subtract } from './field';
import {
  conjugate12, frobenius12, invert12, isOne12, multiply12, multiplyByLine, setOne12, square12, squareCyclotomic,
} from './tower';
import { frobenius, PARAMETER, POINT, readTwistPoint, TWIST } from './twist';

const E: usize = ELEMENT;

// A pair: −y and x of the first point in both lanes, the second point with Z = 1, its multiple in the loop.
const PAIR_Q: usize = 2 * 80;
const PAIR_R: usize = PAIR_Q + 3 * 80;
export const PAIR: usize = PAIR_R + 3 * 80;

/** 6u + 2 in digits of −1, 0 and 1, without the highest. */
const LOOP: usize = memory.data<i8>([
  0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 0, -1, 0, 1, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 0,
  0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 0,
]);
const LOOP_LENGTH: usize = 65;

const F: usize = memory.data(480, 16);
const A: usize = memory.data(80, 16);
const B: usize = memory.data(80, 16);
const C: usize = memory.data(80, 16);
const D: usize = memory.data(80, 16);
const H: usize = memory.data(80, 16);
const L0: usize = memory.data(80, 16);
const L1: usize = memory.data(80, 16);
const L2: usize = memory.data(80, 16);

/** F times the line L0·y + L1·x + L2 at the pair's first point. */
function applyLine(pair: usize): void {
  multiplyLanes(L0, L0, pair);
  multiplyLanes(L1, L1, pair + E);
  multiplyByLine(F, L0, L1, L2);
}

/** R = 2R, with the tangent. Coordinates are four times those of Costello, Lange and Naehrig. */
function doubleStep(pair: usize): void {
  const x = pair + PAIR_R, y = x + E, z = y + E;
  square(B, y);
  square(C, z);
  multiply(D, C, TWIST + E);
  add(H, y, z);
  square(H, H);
  subtract(H, H, B);
  subtract(H, H, C);
  multiply(A, x, y);
  square(C, x);
  addMultiple(L1, C, C, 2);
  copy(L0, H);
  subtract(L2, D, B);
  // X = 2xy(b − 3e), Y = (b + 3e)² − 12e², Z = 4bh
  addMultiple(C, B, D, -3);
  multiply(x, A, C);
  add(x, x, x);
  addMultiple(C, B, D, 3);
  square(C, C);
  square(D, D);
  addMultiple(D, D, D, 2);
  addMultiple(y, C, D, -4);
  multiply(z, B, H);
  addMultiple(z, z, z, 3);
  applyLine(pair);
}

/** R = R + (qx, qy), with the line through both. */
function addStep(pair: usize, qx: usize, qy: usize): void {
  const x = pair + PAIR_R, y = x + E, z = y + E;
  multiply(A, qy, z);
  subtract(A, y, A);
  multiply(B, qx, z);
  subtract(B, x, B);
  square(C, A);
  square(D, B);
  multiply(L2, A, qx);
  multiply(H, B, qy);
  subtract(L2, L2, H);
  negate(L0, B);
  negate(L1, A);
  // e = D·B, f = z·C, g = x·D, h = e + f − 2g
  multiply(C, C, z);
  multiply(H, x, D);
  multiply(D, D, B);
  add(C, C, D);
  addMultiple(C, C, H, -2);
  multiply(x, B, C);
  subtract(H, H, C);
  multiply(H, H, A);
  multiply(y, y, D);
  subtract(y, H, y);
  multiply(z, z, D);
  applyLine(pair);
}

const NEGATED: usize = memory.data(80, 16);
const TURNED: usize = memory.data(240, 16);

function millerLoop(pairs: usize, end: usize): void {
  setOne12(F);
  for (let pair = pairs; pair < end; pair += PAIR) memory.copy(pair + PAIR_R, pair + PAIR_Q, POINT);
  for (let i: usize = 0; i < LOOP_LENGTH; i++) {
    if (i) square12(F, F);
    const digit = load<i8>(LOOP + i);
    for (let pair = pairs; pair < end; pair += PAIR) {
      doubleStep(pair);
      if (digit == 0) continue;
      const y = pair + PAIR_Q + E;
      if (digit < 0) negate(NEGATED, y);
      addStep(pair, pair + PAIR_Q, digit < 0 ? NEGATED : y);
    }
  }
  for (let pair = pairs; pair < end; pair += PAIR) {
    frobenius(TURNED, pair + PAIR_Q);
    addStep(pair, TURNED, TURNED + E);
    frobenius(TURNED, TURNED);
    negate(TURNED + E, TURNED + E);
    addStep(pair, TURNED, TURNED + E);
  }
}

// The parameter in digits of −1, 0 and 1: bits of those that are 1 and of those that are −1.
const PLUS: u64 = ((3 * PARAMETER) & ~PARAMETER) >> 1;
const MINUS: u64 = (PARAMETER & ~(3 * PARAMETER)) >> 1;

const INVERSE: usize = memory.data(480, 16);
const POWER: usize = memory.data(480, 16);

/** out = x to the power −u, for a norm of one. */
function powerOfParameter(out: usize, x: usize): void {
  conjugate12(INVERSE, x);
  memory.copy(POWER, x, 480);
  for (let i = 62 - i32(clz(PLUS)); i >= 0; i--) {
    squareCyclotomic(POWER, POWER);
    if ((PLUS >> u64(i)) & 1) multiply12(POWER, POWER, x);
    else if ((MINUS >> u64(i)) & 1) multiply12(POWER, POWER, INVERSE);
  }
  conjugate12(out, POWER);
}

const Y0: usize = memory.data(480, 16);
const Y1: usize = memory.data(480, 16);
const Y3: usize = memory.data(480, 16);
const Y4: usize = memory.data(480, 16);
const Y6: usize = memory.data(480, 16);
const Y8: usize = memory.data(480, 16);

/** F to a multiple, prime to the order, of (p¹² − 1)/order (Fuentes-Castañeda, Knapp and Rodríguez-Henríquez). */
function finalPower(): void {
  conjugate12(Y0, F);
  invert12(F, F);
  multiply12(Y0, Y0, F);
  frobenius12(Y1, Y0);
  frobenius12(Y1, Y1);
  multiply12(F, Y1, Y0);

  powerOfParameter(Y0, F);
  squareCyclotomic(Y1, Y0);
  squareCyclotomic(Y3, Y1);
  multiply12(Y3, Y3, Y1);
  powerOfParameter(Y4, Y3);
  squareCyclotomic(Y6, Y4);
  powerOfParameter(Y6, Y6);
  conjugate12(Y3, Y3);
  conjugate12(Y6, Y6);
  multiply12(Y8, Y6, Y4);
  multiply12(Y8, Y8, Y3);
  multiply12(Y1, Y8, Y1);
  multiply12(Y4, Y8, Y4);
  multiply12(Y4, Y4, F);
  frobenius12(Y0, Y1);
  multiply12(Y4, Y4, Y0);
  frobenius12(Y8, Y8);
  frobenius12(Y8, Y8);
  multiply12(Y4, Y4, Y8);
  conjugate12(F, F);
  multiply12(Y1, Y1, F);
  for (let i = 0; i < 3; i++) frobenius12(Y1, Y1);
  multiply12(F, Y1, Y4);
}

const FIRST: usize = memory.data(240, 16);

/** Reads a pair of 192 bytes; returns NO_POINT if one of its points is invalid, INFINITY if one is infinity. */
export function readPair(pair: usize, at: usize): i32 {
  const first = readPoint(FIRST, at);
  const second = first == NO_POINT ? NO_POINT : readTwistPoint(pair + PAIR_Q, at + 64);
  if (second == NO_POINT) return NO_POINT;
  negate(pair, FIRST + E);
  copy(pair + E, FIRST);
  return min(first, second);
}

/** Whether the product of the pairings is one. */
export function isProductOne(pairs: usize, count: usize): bool {
  millerLoop(pairs, pairs + count * PAIR);
  finalPower();
  return isOne12(F);
}
