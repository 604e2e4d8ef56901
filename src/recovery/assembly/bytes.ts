// Conversion between 32 bytes, highest first, and the field's digits.
import { tight } from './field';

const DIGIT_MASK: u64 = 0xfffffffffffff;
const READ: usize = memory.data(80, 16);

/** Reads 32 bytes, highest first, into a lane. */
function readLane(out: usize, lane: usize, at: usize): void {
  const w3 = bswap(load<u64>(at)), w2 = bswap(load<u64>(at, 8));
  const w1 = bswap(load<u64>(at, 16)), w0 = bswap(load<u64>(at, 24));
  const to = out + (lane << 3);
  store<f64>(to, f64(w0 & DIGIT_MASK));
  store<f64>(to, f64(((w0 >> 52) | (w1 << 12)) & DIGIT_MASK), 16);
  store<f64>(to, f64(((w1 >> 40) | (w2 << 24)) & DIGIT_MASK), 32);
  store<f64>(to, f64(((w2 >> 28) | (w3 << 36)) & DIGIT_MASK), 48);
  store<f64>(to, f64(w3 >> 16), 64);
}

/** Reads a number of 32 bytes for each lane. */
export function read(out: usize, first: usize, second: usize): void {
  readLane(READ, 0, first);
  readLane(READ, 1, second);
  tight(out, READ);
}

// Digits of p without sign.
const P0: i64 = 0xffffefffffc2f;
const P123: i64 = 0xfffffffffffff;
const P4: i64 = 0xffffffffffff;

/** Writes a lane as 32 bytes, highest first. */
export function writeLane(at: usize, x: usize, lane: usize): void {
  const from = x + (lane << 3);
  // A multiple of p makes a tight number positive.
  let d0 = i64(load<f64>(from)) + 2 * P0, d1 = i64(load<f64>(from, 16)) + 2 * P123;
  let d2 = i64(load<f64>(from, 32)) + 2 * P123, d3 = i64(load<f64>(from, 48)) + 2 * P123;
  let d4 = i64(load<f64>(from, 64)) + 2 * P4;
  const mask = i64(DIGIT_MASK);
  d1 += d0 >> 52, d0 &= mask;
  d2 += d1 >> 52, d1 &= mask;
  d3 += d2 >> 52, d2 &= mask;
  d4 += d3 >> 52, d3 &= mask;
  for (;;) {
    let e0 = d0 - P0, e1 = d1 - P123, e2 = d2 - P123, e3 = d3 - P123, e4 = d4 - P4;
    e1 += e0 >> 52, e0 &= mask;
    e2 += e1 >> 52, e1 &= mask;
    e3 += e2 >> 52, e2 &= mask;
    e4 += e3 >> 52, e3 &= mask;
    if (e4 < 0) break;
    d0 = e0, d1 = e1, d2 = e2, d3 = e3, d4 = e4;
  }
  store<u64>(at, bswap(u64((d3 >> 36) | (d4 << 16))));
  store<u64>(at, bswap(u64((d2 >> 24) | (d3 << 28))), 8);
  store<u64>(at, bswap(u64((d1 >> 12) | (d2 << 40))), 16);
  store<u64>(at, bswap(u64(d0 | (d1 << 52))), 24);
}
