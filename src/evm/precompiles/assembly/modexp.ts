// Powers modulo an odd number (Montgomery's form) and modulo a power of two, for numbers of 32-bit limbs, least first.
// Every area holds LIMBS limbs; the exponent is big-endian bytes.

/** Maximum number of limbs in an area. */
const LIMBS: usize = 64;
const BYTES: usize = LIMBS * 4;

const MODULUS: usize = memory.data(256, 16);
const BASE: usize = memory.data(256, 16);
const RESULT: usize = memory.data(256, 16);
const PLAIN_ONE: usize = memory.data(256, 16);
/** A running sum and space for its carry. */
const SUM: usize = memory.data(272, 16);
/** The square of the base, and its odd powers. */
const SQUARE: usize = memory.data(256, 16);
const TABLE: usize = memory.data(256 * 8, 16);
const EXPONENT: usize = 0x10000;

export function modulusAt(): usize {
  return MODULUS;
}

export function baseAt(): usize {
  return BASE;
}

export function resultAt(): usize {
  return RESULT;
}

/** Address of an area that holds at least `size` bytes of exponent. */
export function exponentAt(size: usize): usize {
  const have = usize(memory.size()) << 16;
  const need = EXPONENT + size;
  if (need > have) memory.grow(i32((need - have + 0xffff) >> 16));
  return EXPONENT;
}

/** −n⁻¹ modulo 2³² of an odd n; each step doubles the number of correct bits. */
function negatedInverse(n: u32): u32 {
  let x = n;
  for (let i = 0; i < 4; i++) x *= 2 - n * x;
  return 0 - x;
}

// Loops instead of bulk instructions, which cost a call: more than the work on the few limbs of most numbers.
function clearSum(bytes: usize): void {
  for (let i: usize = 0; i <= bytes; i += 4) store<u32>(SUM + i, 0);
}

function copy(to: usize, from: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 4) store<u32>(to + i, load<u32>(from + i));
}

/** RESULT = x·y·R⁻¹ mod n; x and y may be RESULT. */
function multiplyMontgomery(x: usize, y: usize, bytes: usize, inverse: u32): void {
  clearSum(bytes);
  for (let i: usize = 0; i < bytes; i += 4) {
    const factor = <u64>load<u32>(x + i);
    let t = factor * <u64>load<u32>(y) + <u64>load<u32>(SUM);
    const quotient = <u64>(<u32>t * inverse);
    let carryX = t >> 32;
    let carryN = (quotient * <u64>load<u32>(MODULUS) + (t & 0xffffffff)) >> 32;
    for (let j: usize = 4; j < bytes; j += 4) {
      t = factor * <u64>load<u32>(y + j) + <u64>load<u32>(SUM + j) + carryX;
      carryX = t >> 32;
      t = quotient * <u64>load<u32>(MODULUS + j) + (t & 0xffffffff) + carryN;
      carryN = t >> 32;
      store<u32>(SUM + j - 4, <u32>t);
    }
    t = <u64>load<u32>(SUM + bytes) + carryX + carryN;
    store<u32>(SUM + bytes - 4, <u32>t);
    store<u32>(SUM + bytes, <u32>(t >> 32));
  }
  reduce(bytes);
}

/** RESULT = SUM mod n, for a sum below 2n. */
function reduce(bytes: usize): void {
  let borrow: i64 = 0;
  for (let i: usize = 0; i < bytes; i += 4) {
    borrow += <i64>load<u32>(SUM + i) - <i64>load<u32>(MODULUS + i);
    store<u32>(RESULT + i, <u32>borrow);
    borrow >>= 32;
  }
  if (borrow + <i64>load<u32>(SUM + bytes) < 0) copy(RESULT, SUM, bytes);
}

/** RESULT = x·y modulo 2^(8·bytes). */
function multiplyTruncated(x: usize, y: usize, bytes: usize): void {
  clearSum(bytes);
  for (let i: usize = 0; i < bytes; i += 4) {
    const factor = <u64>load<u32>(x + i);
    let carry: u64 = 0;
    for (let j: usize = 0; i + j < bytes; j += 4) {
      const t = factor * <u64>load<u32>(y + j) + <u64>load<u32>(SUM + i + j) + carry;
      store<u32>(SUM + i + j, <u32>t);
      carry = t >> 32;
    }
  }
  copy(RESULT, SUM, bytes);
}

@inline
function multiply(x: usize, y: usize, bytes: usize, inverse: u32): void {
  if (inverse) multiplyMontgomery(x, y, bytes, inverse);
  else multiplyTruncated(x, y, bytes);
}

/** Bit `place` of the exponent, counted from its lowest. */
@inline
function exponentBit(place: isize, exponentBytes: usize): u32 {
  return (<u32>load<u8>(EXPONENT + exponentBytes - 1 - (place >> 3)) >> u32(place & 7)) & 1;
}

/**
 * RESULT = BASE to the exponent, which is not zero. Its bits are taken in windows that begin and end with a one, so that
 * the table needs odd powers only.
 */
function power(bytes: usize, exponentBytes: usize, inverse: u32): void {
  // A table pays only when there are enough windows to look up.
  const widest: isize = exponentBytes > 8 ? 4 : 1;
  copy(TABLE, BASE, bytes);
  if (widest > 1) {
    multiply(BASE, BASE, bytes, inverse);
    copy(SQUARE, RESULT, bytes);
    for (let i: usize = 1; i < 8; i++) {
      multiply(TABLE + (i - 1) * BYTES, SQUARE, bytes, inverse);
      copy(TABLE + i * BYTES, RESULT, bytes);
    }
  }
  let started = false;
  for (let high = isize(exponentBytes << 3) - 1; high >= 0; ) {
    if (!exponentBit(high, exponentBytes)) {
      if (started) multiply(RESULT, RESULT, bytes, inverse);
      high--;
      continue;
    }
    let low = max(high - widest + 1, 0);
    while (!exponentBit(low, exponentBytes)) low++;
    let digit: usize = 0;
    for (let place = high; place >= low; place--) {
      digit = (digit << 1) | exponentBit(place, exponentBytes);
      if (started) multiply(RESULT, RESULT, bytes, inverse);
    }
    if (started) multiply(RESULT, TABLE + (digit >> 1) * BYTES, bytes, inverse);
    else copy(RESULT, TABLE + (digit >> 1) * BYTES, bytes);
    started = true;
    high = low - 1;
  }
}

/** RESULT = BASE to the exponent modulo the odd MODULUS, where BASE is given in Montgomery's form: times 2^(32·limbs). */
export function powerOdd(limbs: usize, exponentBytes: usize): void {
  const inverse = negatedInverse(load<u32>(MODULUS));
  const size = limbs * 4;
  for (let i: usize = 4; i < size; i += 4) store<u32>(PLAIN_ONE + i, 0);
  store<u32>(PLAIN_ONE, 1);
  power(size, exponentBytes, inverse);
  multiplyMontgomery(RESULT, PLAIN_ONE, size, inverse);
}

/** RESULT = BASE to the exponent modulo 2^(32·limbs). */
export function powerOfTwo(limbs: usize, exponentBytes: usize): void {
  power(limbs * 4, exponentBytes, 0);
}
