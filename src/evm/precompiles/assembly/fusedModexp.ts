// Powers modulo an odd number, in Montgomery's form, for machines with a fused multiply-add: numbers have signed digits of
// 51 bits in double precision, least first, and two products are made at a time. See bn254/field.ts for how halves of
// products are got and added. The number of digits is even.

import { fused } from '../../../primitives/assembly/fused';

export { isFused } from '../../../primitives/assembly/fused';

/** Maximum number of digits, and bytes of an area for them. */
const MOST: usize = 164;
const AREA: usize = MOST * 8;

const DIGIT_BITS: i64 = 51;
const DIGIT_MASK: i64 = 0x7ffffffffffff;
const HALF_DIGIT: i64 = 1 << 50;
const HIGH: f64 = 15211807202738752817960438464512.0;
const LOW: f64 = 6755399441055744.0;
const BOTH: f64 = 15211807202738752817960438464512.0 + 6755399441055744.0;
const UNIT: f64 = 4503599627370496.0;

const HIGHS: usize = memory.data<f64>([HIGH, HIGH], 16);
const LOWS: usize = memory.data<f64>([LOW, LOW], 16);
const BOTHS: usize = memory.data<f64>([BOTH, BOTH], 16);
const UNITS: usize = memory.data<f64>([UNIT, UNIT], 16);
const MASKS: usize = memory.data<i64>([DIGIT_MASK, DIGIT_MASK], 16);

const MODULUS: usize = memory.data(1312, 16);
const RESULT: usize = memory.data(1312, 16);
const ONE: usize = memory.data(1312, 16);
const COLUMNS: usize = memory.data(2640, 16);
const TABLE: usize = memory.data(16 * 1312, 16);
/** −n⁻¹ modulo 2⁵¹, as a signed digit in both lanes. */
const INVERSE: usize = memory.data(16, 16);
/** Bytes of input and output, with zeros before them for reading and writing words. */
const BYTES: usize = memory.data(1312, 16);
const BYTES_END: usize = BYTES + 1304;
const EXPONENT: usize = 0x10000;

/** End of the bytes of a number that is passed, big-endian. */
export function bytesEnd(): usize {
  return BYTES_END;
}

/** Address of an area that holds at least `size` bytes of exponent. */
export function exponentAt(size: usize): usize {
  const have = usize(memory.size()) << 16;
  const need = EXPONENT + size;
  if (need > have) memory.grow(i32((need - have + 0xffff) >> 16));
  return EXPONENT;
}

/** Reads digits from the `length` passed bytes, which are cleared. */
function take(to: usize, digits: usize, length: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < digits; i++) {
    const bit = i * usize(DIGIT_BITS);
    let digit = carry;
    if (bit >> 3 < length) digit += i64(bswap(load<u64>(BYTES_END - 8 - (bit >> 3))) >> (bit & 7)) & DIGIT_MASK;
    carry = i + 1 < digits ? (digit + HALF_DIGIT) >> DIGIT_BITS : 0;
    store<f64>(to + (i << 3), f64(digit - (carry << DIGIT_BITS)));
  }
  memory.fill(BYTES_END - length, 0, length);
}

/** Sets an odd modulus. */
export function setModulus(digits: usize, length: usize): void {
  const low = bswap(load<u64>(BYTES_END - 8));
  let x: u64 = 1;
  for (let i = 0; i < 6; i++) x *= 2 - low * x;
  const inverse = i64((0 - x) << 13) >> 13;
  v128.store(INVERSE, f64x2.splat(f64(inverse)));
  take(MODULUS, digits, length);
}

/** RESULT = x·y·R⁻¹ modulo n; x and y may be RESULT. */
function multiply(x: usize, y: usize, digits: usize): void {
  const high = v128.load(HIGHS), both = v128.load(BOTHS), low = v128.load(LOWS);
  const inverse = v128.load(INVERSE);
  const bytes = digits << 3;
  // Sum of the constants of two products in each column.
  const highs = i64x2.add(high, high);
  const surplus = i64x2.add(highs, i64x2.add(low, low));
  memory.fill(COLUMNS, 0, bytes << 1);
  for (let i: usize = 0; i < bytes; i += 8) {
    const to = COLUMNS + i;
    const a = v128.load_splat<u64>(x + i);
    let b = v128.load(y);
    let n = v128.load(MODULUS);
    let h = fused(a, b, high);
    let t = i64x2.add(v128.load(to), fused(a, b, f64x2.sub(both, h)));
    // The digit q that makes the lowest column with q·n a multiple of 2⁵¹.
    const digit = v128.or(v128.and(v128.shuffle<u64>(t, t, 0, 0), v128.load(MASKS)), v128.load(UNITS));
    const d = f64x2.sub(digit, v128.load(UNITS));
    const q = f64x2.sub(fused(d, inverse, f64x2.sub(both, fused(d, inverse, high))), low);
    let g = fused(q, n, high);
    t = i64x2.add(t, fused(q, n, f64x2.sub(both, g)));
    let carried = i64x2.add(h, g);
    t = i64x2.sub(i64x2.add(t, v128.shuffle<u64>(highs, carried, 1, 2)), surplus);
    store<i64>(to, i64x2.extract_lane(t, 1) + (i64x2.extract_lane(t, 0) >> DIGIT_BITS), 8);
    for (let j: usize = 16; j < bytes; j += 16) {
      b = v128.load(y + j);
      n = v128.load(MODULUS + j);
      h = fused(a, b, high);
      g = fused(q, n, high);
      t = i64x2.add(v128.load(to + j), fused(a, b, f64x2.sub(both, h)));
      t = i64x2.add(t, fused(q, n, f64x2.sub(both, g)));
      const next = i64x2.add(h, g);
      v128.store(to + j, i64x2.sub(i64x2.add(t, v128.shuffle<u64>(carried, next, 1, 2)), surplus));
      carried = next;
    }
    store<i64>(to + bytes, i64x2.extract_lane(carried, 1) - i64x2.extract_lane(highs, 1));
  }
  let carry: i64 = 0;
  for (let i: usize = 0; i < bytes; i += 8) {
    const column = load<i64>(COLUMNS + bytes + i) + carry;
    carry = i + 8 < bytes ? (column + HALF_DIGIT) >> DIGIT_BITS : 0;
    store<f64>(RESULT + i, f64(column - (carry << DIGIT_BITS)));
  }
}

/** Writes RESULT, between −n and n, as `length` bytes of a number from 0 to n. */
function give(digits: usize, length: usize): void {
  const isNegative = load<f64>(RESULT + leading(digits)) < 0;
  let carry: i64 = 0;
  for (let i: usize = 0; i < digits; i++) {
    const bit = i * usize(DIGIT_BITS);
    let digit = i64(load<f64>(RESULT + (i << 3))) + carry;
    if (isNegative) digit += i64(load<f64>(MODULUS + (i << 3)));
    carry = digit >> DIGIT_BITS;
    if (bit >> 3 >= length) continue;
    const at = BYTES_END - 8 - (bit >> 3);
    store<u64>(at, bswap(bswap(load<u64>(at)) + (u64(digit & DIGIT_MASK) << (bit & 7))));
  }
}

/** Offset of the highest digit that is not zero: its sign is the number's. */
function leading(digits: usize): usize {
  let i = digits - 1;
  while (i > 0 && load<f64>(RESULT + (i << 3)) == 0) i--;
  return i << 3;
}

/**
 * The passed bytes, a number in Montgomery's form, to the power of the exponent, which is not zero; the result, no longer
 * in that form, overwrites them.
 */
export function power(digits: usize, length: usize, exponentBytes: usize): void {
  // A table of 16 powers pays only when there are enough digits to look up.
  const window: u32 = exponentBytes > 8 ? 4 : 1;
  const bytes = digits << 3;
  take(TABLE + AREA, digits, length);
  for (let i: usize = 2; i < 1 << window; i++) {
    multiply(TABLE + (i - 1) * AREA, TABLE + AREA, digits);
    memory.copy(TABLE + i * AREA, RESULT, bytes);
  }
  let started = false;
  for (let i: usize = 0; i < exponentBytes; i++) {
    const byte = <u32>load<u8>(EXPONENT + i);
    for (let shift: u32 = 8; shift > 0; ) {
      shift -= window;
      if (started) for (let k: u32 = 0; k < window; k++) multiply(RESULT, RESULT, digits);
      const digit = <usize>((byte >> shift) & ((1 << window) - 1));
      if (!digit) continue;
      if (started) multiply(RESULT, TABLE + digit * AREA, digits);
      else memory.copy(RESULT, TABLE + digit * AREA, bytes);
      started = true;
    }
  }
  memory.fill(ONE, 0, bytes);
  store<f64>(ONE, 1);
  multiply(RESULT, ONE, digits);
  give(digits, length);
}
