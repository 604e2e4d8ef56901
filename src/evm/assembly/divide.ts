// Long division by 64-bit digits with a precomputed reciprocal (Möller and Granlund, "Improved division by invariant
// integers"), Knuth's algorithm D around it. Digits that a step works on are kept in local variables.
import { high } from './multiply';
import { setLimbs } from './word';

/** The dividend, normalised like the divisor. */
const DIVIDEND = memory.data(80);

/** 2^96, smaller by the 2^-50th part: what is divided by it stays below the true quotient, however it is rounded. */
const dividend: f64 = 79228162514264267224799772672.0;

/**
 * ⌊(2^128 - 1) / d⌋ - 2^64 for a d whose top bit is set. A division of floating-point numbers gives the first 34 bits, one
 * step of Newton's method all but the last, and the last step corrects that. The processor's division of integers is slower.
 */
function reciprocalOf(d: u64): u64 {
  const odd = d & 1;
  const first = u64(<i64>(dividend / f64(i64(d >> 1))));
  const rest = ((first >> 1) & (0 - odd)) - first * ((d >> 1) + odd);
  const second = (high(first, rest) >> 1) + (first << 31);
  const low = second * d + d;
  return second - (high(second, d) + d + u64(low < d));
}

/** ⌊(up:low) / d⌋ for up < d and the top bit of d set. */
@inline
function divideTwoByOne(up: u64, low: u64, d: u64): u64 {
  const reciprocal = reciprocalOf(d);
  const ql = reciprocal * up + low;
  let q = high(reciprocal, up) + up + u64(ql < low) + 1;
  let rest = low - q * d;
  const over = 0 - u64(rest > ql);
  q += over;
  rest += over & d;
  return q + u64(rest >= d);
}

/** ⌊(2^192 - 1) / (d1:d0)⌋ - 2^64 for a d1 whose top bit is set. */
function reciprocalOfTwo(d1: u64, d0: u64): u64 {
  let v = reciprocalOf(d1);
  let p = d1 * v + d0;
  if (p < d0) {
    v--;
    if (p >= d1) {
      v--;
      p -= d1;
    }
    p -= d1;
  }
  const t = high(v, d0);
  p += t;
  if (p < t) {
    v--;
    if (p > d1 || (p == d1 && v * d0 + d0 >= d0)) v--;
  }
  return v;
}

// Contracts divide by the same numbers again and again: the reciprocals of some divisors are remembered, each with its divisor's
// upper digits, at a place that these determine. Empty places match none, for the top bit of a divisor is set.
const ONES: usize = memory.data(16 * 16);
const TWOS: usize = memory.data(16 * 24);

/** A number below 16 from all bits of a digit. */
@inline
function placeOf(d: u64): usize {
  return usize((d * 0x9e3779b97f4a7c15) >> 60);
}

@inline
function knownReciprocalOf(d: u64): u64 {
  const at = ONES + (placeOf(d) << 4);
  if (load<u64>(at) != d) {
    store<u64>(at, d);
    store<u64>(at, reciprocalOf(d), 8);
  }
  return load<u64>(at, 8);
}

@inline
function knownReciprocalOfTwo(d1: u64, d0: u64): u64 {
  const at = TWOS + placeOf(d1 ^ d0) * 24;
  if (load<u64>(at) != d1 || load<u64>(at, 8) != d0) {
    store<u64>(at, d1);
    store<u64>(at, d0, 8);
    store<u64>(at, reciprocalOfTwo(d1, d0), 16);
  }
  return load<u64>(at, 16);
}

/** Significant 64-bit digits among the first `n`. */
@inline
export function digits(at: usize, n: i32): i32 {
  while (n > 0 && load<u64>(at + (n << 3) - 8) == 0) n--;
  return n;
}

/** A digit of a number that is shifted left by s bits, from its digit and the one below. */
@inline
function shifted(digit: u64, below: u64, s: u64): u64 {
  return (digit << s) | ((below >> 1) >> (63 - s));
}

/** The same for a shift to the right, from the digit above. */
@inline
function shiftedBack(above: u64, digit: u64, s: u64): u64 {
  return (digit >> s) | ((above << 1) << (63 - s));
}

/** Writes `n` digits, shifted left by s bits, to `to`, and the digit that flows over. */
@inline
function normalise(to: usize, from: usize, n: i32, s: u64): void {
  let above: u64 = 0;
  for (let i = (n - 1) << 3; i >= 0; i -= 8) {
    const digit = load<u64>(from + i);
    store<u64>(to + i, shifted(above, digit, s), 8);
    above = digit;
  }
  store<u64>(to, above << s);
}

function divideByOne(num: usize, n: i32, den: usize, quotient: usize, remainder: usize): void {
  let d = load<u64>(den);
  const s = clz(d);
  d <<= s;
  const reciprocal = knownReciprocalOf(d);
  let digit = load<u64>(num + (n << 3) - 8);
  let rest = shifted(0, digit, s);
  for (let i = (n - 1) << 3; i >= 0; i -= 8) {
    const below = i ? load<u64>(num + i - 8) : 0;
    const low = shifted(digit, below, s);
    digit = below;
    const ql = reciprocal * rest + low;
    let q = high(reciprocal, rest) + rest + u64(ql < low) + 1;
    rest = low - q * d;
    const over = 0 - u64(rest > ql);
    q += over;
    rest += over & d;
    if (rest >= d) {
      q++;
      rest -= d;
    }
    store<u64>(quotient + i, q);
  }
  setLimbs(remainder, rest >> s, 0, 0, 0);
}

function divideByTwo(num: usize, n: i32, den: usize, quotient: usize, remainder: usize): void {
  const s = clz(load<u64>(den, 8));
  const d1 = shifted(load<u64>(den, 8), load<u64>(den), s), d0 = load<u64>(den) << s;
  const reciprocal = knownReciprocalOfTwo(d1, d0);
  let digit = load<u64>(num + (n << 3) - 16);
  let u2 = shifted(0, load<u64>(num + (n << 3) - 8), s);
  let u1 = shifted(load<u64>(num + (n << 3) - 8), digit, s);
  for (let i = (n - 2) << 3; i >= 0; i -= 8) {
    const below = i ? load<u64>(num + i - 8) : 0;
    const u0 = shifted(digit, below, s);
    digit = below;
    const q0 = reciprocal * u2 + u1;
    let q = high(reciprocal, u2) + u2 + u64(q0 < u1);
    const low = q * d0;
    let r0 = u0 - low;
    let r1 = u1 - q * d1 - high(q, d0) - u64(u0 < low) - d1 - u64(r0 < d0);
    r0 -= d0;
    q++;
    const over = 0 - u64(r1 >= q0);
    q += over;
    r0 += over & d0;
    r1 += (over & d1) + u64(r0 < (over & d0));
    if (r1 > d1 || (r1 == d1 && r0 >= d0)) {
      q++;
      r1 -= d1 + u64(r0 < d0);
      r0 -= d0;
    }
    store<u64>(quotient + i, q);
    u2 = r1;
    u1 = r0;
  }
  setLimbs(remainder, shiftedBack(u2, u1, s), u2 >> s, 0, 0);
}

/** Divides by four digits; three are taken as four with a zero below, and so is the dividend. */
function divideByFour(num: usize, n: i32, den: usize, m: i32, quotient: usize, remainder: usize): void {
  const s = clz(load<u64>(den + (m << 3) - 8));
  const e0 = m == 4 ? load<u64>(den) : 0;
  den += (m - 4) << 3;
  const e1 = load<u64>(den, 8), e2 = load<u64>(den, 16), e3 = load<u64>(den, 24);
  const d3 = shifted(e3, e2, s), d2 = shifted(e2, e1, s), d1 = shifted(e1, e0, s), d0 = e0 << s;
  store<u64>(DIVIDEND, 0);
  normalise(DIVIDEND + ((4 - m) << 3), num, n, s);
  const reciprocal = knownReciprocalOfTwo(d3, d2);
  const steps = (n - m) << 3;
  let u4 = load<u64>(DIVIDEND + steps, 32), u3 = load<u64>(DIVIDEND + steps, 24);
  let u2 = load<u64>(DIVIDEND + steps, 16), u1 = load<u64>(DIVIDEND + steps, 8);
  for (let i = steps; i >= 0; i -= 8) {
    let u0 = load<u64>(DIVIDEND + i);
    let q: u64 = 0;
    if (u4 == 0 && u3 < d3) {
      u4 = u3;
      u3 = u2;
      u2 = u1;
      u1 = u0;
      store<u64>(quotient + i, 0);
      continue;
    }
    let borrow: u64;
    if (u4 < d3 || u3 < d2) {
      const q0 = reciprocal * u4 + u3;
      q = high(reciprocal, u4) + u4 + u64(q0 < u3);
      const low = q * d2;
      let r0 = u2 - low;
      let r1 = u3 - q * d3 - high(q, d2) - u64(u2 < low) - d3 - u64(r0 < d2);
      r0 -= d2;
      q++;
      const over = 0 - u64(r1 >= q0);
      q += over;
      r0 += over & d2;
      r1 += (over & d3) + u64(r0 < (over & d2));
      if (r1 > d3 || (r1 == d3 && r0 >= d2)) {
        q++;
        r1 -= d3 + u64(r0 < d2);
        r0 -= d2;
      }
      u3 = r1;
      u2 = r0;
      u4 = 0;
    } else {
      // The quotient would not fit: with the largest digit, u4:u3:u2 - (2^64 - 1)·(d3:d2) is d3:d2 + u2.
      q = 0xffffffffffffffff;
      u2 += d2;
      u3 = d3 + u64(u2 < d2);
      u4 = u64(u3 < d3);
    }
    const low0 = q * d0;
    const up0 = high(q, d0) + u64(u0 < low0);
    u0 -= low0;
    const low1 = q * d1 + up0;
    borrow = high(q, d1) + u64(low1 < up0) + u64(u1 < low1);
    u1 -= low1;
    const below = u64(u2 < borrow);
    u2 -= borrow;
    borrow = u64(u3 < below);
    u3 -= below;
    if (u4 < borrow) {
      q--;
      u0 += d0;
      let carry = u64(u0 < d0);
      u1 += carry;
      carry = u64(u1 < carry);
      u1 += d1;
      carry += u64(u1 < d1);
      u2 += carry;
      carry = u64(u2 < carry);
      u2 += d2;
      carry += u64(u2 < d2);
      u3 += d3 + carry;
    }
    store<u64>(quotient + i, q);
    u4 = u3;
    u3 = u2;
    u2 = u1;
    u1 = u0;
  }
  // The remainder is u4 … u1.
  const r0 = shiftedBack(u2, u1, s), r1 = shiftedBack(u3, u2, s), r2 = shiftedBack(u4, u3, s), r3 = u4 >> s;
  if (m == 4) setLimbs(remainder, r0, r1, r2, r3);
  else setLimbs(remainder, r1, r2, r3, 0);
}

/** Divides four digits by four: the quotient has one. It is estimated from the top digits, too large by at most two. */
function divideOnce(num: usize, den: usize, quotient: usize, remainder: usize): void {
  const e0 = load<u64>(den), e1 = load<u64>(den, 8), e2 = load<u64>(den, 16), e3 = load<u64>(den, 24);
  const n0 = load<u64>(num), n1 = load<u64>(num, 8), n2 = load<u64>(num, 16), n3 = load<u64>(num, 24);
  const s = clz(e3);
  const top = shifted(0, n3, s);
  // Without a digit above, the dividend is less than twice the divisor.
  let q: u64 = top == 0 ? 1 : divideTwoByOne(top, shifted(n3, n2, s), shifted(e3, e2, s));
  let low = q * e0;
  let r0 = n0 - low;
  let borrow = high(q, e0) + u64(n0 < low);
  low = q * e1 + borrow;
  borrow = high(q, e1) + u64(low < borrow) + u64(n1 < low);
  let r1 = n1 - low;
  low = q * e2 + borrow;
  borrow = high(q, e2) + u64(low < borrow) + u64(n2 < low);
  let r2 = n2 - low;
  low = q * e3 + borrow;
  let isNegative = n3 < low || high(q, e3) + u64(low < borrow) != 0;
  let r3 = n3 - low;
  while (isNegative) {
    q--;
    r0 += e0;
    let carry = u64(r0 < e0);
    r1 += carry;
    carry = u64(r1 < carry);
    r1 += e1;
    carry += u64(r1 < e1);
    r2 += carry;
    carry = u64(r2 < carry);
    r2 += e2;
    carry += u64(r2 < e2);
    const sum = e3 + carry;
    r3 += sum;
    // The sum has carried once the remainder is not negative.
    isNegative = sum >= e3 && r3 >= sum;
  }
  store<u64>(quotient, q);
  setLimbs(remainder, r0, r1, r2, r3);
}

/**
 * Divides `n` digits (at most 8) by `m` digits (at most 4), the top ones not zero, m ≤ n. Writes n - m + 1 digits to
 * `quotient`, and the remainder as a word.
 */
export function divideDigits(num: usize, n: i32, den: usize, m: i32, quotient: usize, remainder: usize): void {
  if (m == 1) divideByOne(num, n, den, quotient, remainder);
  else if (m == 2) divideByTwo(num, n, den, quotient, remainder);
  else if (n == 4 && m == 4) divideOnce(num, den, quotient, remainder);
  else divideByFour(num, n, den, m, quotient, remainder);
}
