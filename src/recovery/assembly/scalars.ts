// Arithmetic modulo the order of the curve, for the numbers that points are multiplied by. Numbers consist of limbs of 32 bits,
// the lowest first.

/** Bytes of a number modulo the order, and of one modulo 2¹⁹² that stands for a negative one where its highest bit is set. */
export const SCALAR: usize = 32;
export const HALF: usize = 24;
const SCALAR_LIMBS: usize = 8;
const HALF_LIMBS: usize = 6;

// Constants, which the caller writes in this order, without a gap: the order; 2²⁵⁶ less the order; b₂·2³⁸⁴ and −b₁·2³⁸⁴ divided by
// the order; −a₁, −b₁, −a₂ and −b₂. The compiler takes no names here.
const ORDER: usize = memory.data(32 + 24 + 2 * 32 + 4 * 24, 8);
const MISSING: usize = ORDER + SCALAR;
const MISSING_LIMBS: usize = 5;
const INVERSES: usize = MISSING + HALF;
const VECTORS: usize = INVERSES + 2 * SCALAR;

const WIDE: usize = memory.data(64, 8);
const WIDE_LIMBS: usize = 16;
const FOLDED: usize = memory.data(64, 8);
const FIRST_QUOTIENT: usize = memory.data(24, 8);
const SECOND_QUOTIENT: usize = memory.data(24, 8);

export function constantsAt(): usize {
  return ORDER;
}

@inline
function limb(x: usize, i: usize): u64 {
  return u64(load<u32>(x + (i << 2)));
}

/** Adds x·y to a number of some limbs; what does not fit there is lost. */
function addProduct(out: usize, limbs: usize, x: usize, xLimbs: usize, y: usize, yLimbs: usize): void {
  for (let i: usize = 0; i < xLimbs; i++) {
    const factor = limb(x, i);
    let at = i, carry: u64 = 0;
    for (let j: usize = 0; j < yLimbs && at < limbs; j++, at++) {
      const sum = factor * limb(y, j) + limb(out, at) + carry;
      store<u32>(out + (at << 2), u32(sum));
      carry = sum >> 32;
    }
    for (; carry != 0 && at < limbs; at++) {
      const sum = limb(out, at) + carry;
      store<u32>(out + (at << 2), u32(sum));
      carry = sum >> 32;
    }
  }
}

/** Writes x − y; returns 1 if y is the larger one. */
function subtractScalars(out: usize, x: usize, y: usize): u64 {
  let borrow: u64 = 0;
  for (let i: usize = 0; i < SCALAR_LIMBS; i++) {
    const rest = limb(x, i) - limb(y, i) - borrow;
    store<u32>(out + (i << 2), u32(rest));
    borrow = rest >> 63;
  }
  return borrow;
}

/** Replaces each 2²⁵⁶ in `WIDE` by what it is modulo the order; the number has so many limbs above it. */
function fold(above: usize): void {
  memory.copy(FOLDED, WIDE, SCALAR);
  memory.fill(FOLDED + SCALAR, 0, SCALAR);
  addProduct(FOLDED, WIDE_LIMBS, WIDE + SCALAR, above, MISSING, MISSING_LIMBS);
  memory.copy(WIDE, FOLDED, 2 * SCALAR);
}

/** Writes x·y modulo the order. */
export function multiplyScalars(out: usize, x: usize, y: usize): void {
  memory.fill(WIDE, 0, 2 * SCALAR);
  addProduct(WIDE, WIDE_LIMBS, x, SCALAR_LIMBS, y, SCALAR_LIMBS);
  fold(SCALAR_LIMBS);
  fold(MISSING_LIMBS);
  while (load<u32>(WIDE, SCALAR) != 0) fold(1);
  if (subtractScalars(out, WIDE, ORDER)) memory.copy(out, WIDE, SCALAR);
}

/** Reads 32 bytes, highest first. */
export function readScalar(out: usize, at: usize): void {
  for (let i: usize = 0; i < SCALAR; i += 8) store<u64>(out + i, bswap(load<u64>(at + SCALAR - 8 - i)));
}

/** Writes −x modulo the order, or the order more if that is odd: 40 bytes. */
export function negateToOdd(out: usize, x: usize): void {
  subtractScalars(out, ORDER, x);
  store<u64>(out, 0, SCALAR);
  if (load<u8>(out) & 1) return;
  let carry: u64 = 0;
  for (let i: usize = 0; i < SCALAR_LIMBS; i++) {
    const sum = limb(out, i) + limb(ORDER, i) + carry;
    store<u32>(out + (i << 2), u32(sum));
    carry = sum >> 32;
  }
  store<u64>(out, carry, SCALAR);
}

/** Writes k·inverse / 2³⁸⁴, rounded. */
function divide(out: usize, k: usize, inverse: usize): void {
  memory.fill(WIDE, 0, 2 * SCALAR);
  store<u32>(WIDE, 0x80000000, 44);
  addProduct(WIDE, WIDE_LIMBS, k, SCALAR_LIMBS, inverse, SCALAR_LIMBS);
  memory.copy(out, WIDE + 48, 16);
  store<u64>(out, 0, 16);
}

@inline
function areBothOddOrEven(x: usize, y: usize): bool {
  return ((load<u8>(x) ^ load<u8>(y)) & 1) == 0;
}

/** Subtracts 1. */
function decrement(x: usize): void {
  for (let i: usize = 0; i < HALF; i += 8) {
    const word = load<u64>(x + i);
    store<u64>(x + i, word - 1);
    if (word != 0) return;
  }
}

function negate(x: usize): void {
  decrement(x);
  for (let i: usize = 0; i < HALF; i += 8) store<u64>(x + i, ~load<u64>(x + i));
}

/**
 * Writes two odd numbers k₁ and k₂ of less than 132 bits, one behind the other, and for each a byte that says whether it is negative:
 * k = k₁ + k₂λ modulo the order. They are what is left of (k, 0) without multiples of (a₁, b₁) and (a₂, b₂).
 */
export function splitScalar(halves: usize, signs: usize, k: usize): void {
  divide(FIRST_QUOTIENT, k, INVERSES);
  divide(SECOND_QUOTIENT, k, INVERSES + SCALAR);
  // One less of a vector makes no difference modulo the order. Only a₂ is even.
  if (areBothOddOrEven(FIRST_QUOTIENT, k)) decrement(FIRST_QUOTIENT);
  if (areBothOddOrEven(FIRST_QUOTIENT, SECOND_QUOTIENT)) decrement(SECOND_QUOTIENT);
  memory.copy(halves, k, HALF);
  memory.fill(halves + HALF, 0, HALF);
  for (let i: usize = 0; i < 2; i++) {
    const half = halves + i * HALF, vector = VECTORS + i * HALF;
    addProduct(half, HALF_LIMBS, FIRST_QUOTIENT, HALF_LIMBS, vector, HALF_LIMBS);
    addProduct(half, HALF_LIMBS, SECOND_QUOTIENT, HALF_LIMBS, vector + 2 * HALF, HALF_LIMBS);
    const isNegative = load<u8>(half, HALF - 1) >> 7;
    if (isNegative) negate(half);
    store<u8>(signs + i, isNegative);
  }
}
