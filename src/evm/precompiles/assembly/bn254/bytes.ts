// Conversion between 32 big-endian bytes and the field's form.
import { multiplyLanes } from './field';

const DIGIT_BITS: u64 = 51;
const DIGIT_MASK: u64 = 0x7ffffffffffff;

/** R² in both lanes: a product with it brings a number into the form. */
export const INTO_FORM: usize = memory.data(80, 16);
/** The number one as it is, in both lanes: a product with it brings a number out of the form. */
const OUT_OF_FORM: usize = memory.data<f64>([1, 1, 0, 0, 0, 0, 0, 0, 0, 0], 16);

const P0: u64 = 0x3c208c16d87cfd47;
const P1: u64 = 0x97816a916871ca8d;
const P2: u64 = 0xb85045b68181585d;
const P3: u64 = 0x30644e72e131a029;

@inline
function setLane(out: usize, digit: usize, lane: usize, value: u64): void {
  store<f64>(out + (digit << 4) + (lane << 3), f64(value & DIGIT_MASK));
}

/** Reads the number at `at` into one lane without conversion; returns false if it is not below p. */
function readLane(out: usize, lane: usize, at: usize): bool {
  const w3 = bswap(load<u64>(at)), w2 = bswap(load<u64>(at, 8));
  const w1 = bswap(load<u64>(at, 16)), w0 = bswap(load<u64>(at, 24));
  setLane(out, 0, lane, w0);
  setLane(out, 1, lane, (w0 >> 51) | (w1 << 13));
  setLane(out, 2, lane, (w1 >> 38) | (w2 << 26));
  setLane(out, 3, lane, (w2 >> 25) | (w3 << 39));
  setLane(out, 4, lane, w3 >> 12);
  if (w3 != P3) return w3 < P3;
  if (w2 != P2) return w2 < P2;
  if (w1 != P1) return w1 < P1;
  return w0 < P0;
}

/** Reads a number for each lane; returns false if one is not below p. */
export function read(out: usize, first: usize, second: usize): bool {
  const isRead = readLane(out, 0, first) && readLane(out, 1, second);
  multiplyLanes(out, out, INTO_FORM);
  return isRead;
}

const PLAIN: usize = memory.data(80, 16);

/** Writes the first lane's number. */
export function write(at: usize, x: usize): void {
  multiplyLanes(PLAIN, x, OUT_OF_FORM);
  let d0: i64 = 0, d1: i64 = 0, d2: i64 = 0, d3: i64 = 0, d4: i64 = 0;
  // The number is between −p/2 and p/2: with p added if it is negative, every digit becomes unsigned with 51 bits.
  let isNegative = false;
  for (let pass = 0; pass < 2; pass++) {
    d0 = i64(load<f64>(PLAIN));
    d1 = i64(load<f64>(PLAIN, 16));
    d2 = i64(load<f64>(PLAIN, 32));
    d3 = i64(load<f64>(PLAIN, 48));
    d4 = i64(load<f64>(PLAIN, 64));
    if (isNegative) {
      d0 += i64(P0 & DIGIT_MASK);
      d1 += i64(((P0 >> 51) | (P1 << 13)) & DIGIT_MASK);
      d2 += i64(((P1 >> 38) | (P2 << 26)) & DIGIT_MASK);
      d3 += i64(((P2 >> 25) | (P3 << 39)) & DIGIT_MASK);
      d4 += i64(P3 >> 12);
    }
    d1 += d0 >> i64(DIGIT_BITS);
    d2 += d1 >> i64(DIGIT_BITS);
    d3 += d2 >> i64(DIGIT_BITS);
    d4 += d3 >> i64(DIGIT_BITS);
    if (d4 >= 0) break;
    isNegative = true;
  }
  const u0 = u64(d0) & DIGIT_MASK, u1 = u64(d1) & DIGIT_MASK, u2 = u64(d2) & DIGIT_MASK, u3 = u64(d3) & DIGIT_MASK;
  store<u64>(at, bswap((u3 >> 39) | (u64(d4) << 12)));
  store<u64>(at, bswap((u2 >> 26) | (u3 << 25)), 8);
  store<u64>(at, bswap((u1 >> 13) | (u2 << 38)), 16);
  store<u64>(at, bswap(u0 | (u1 << 51)), 24);
}

/** Whether all `length` bytes, a multiple of eight, are zero. */
export function isAllZero(at: usize, length: usize): bool {
  let all: u64 = 0;
  for (let i: usize = 0; i < length; i += 8) all |= load<u64>(at + i);
  return all == 0;
}

