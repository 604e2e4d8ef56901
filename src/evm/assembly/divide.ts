// Long division by 64-bit digits with a precomputed reciprocal (Möller and Granlund, "Improved division by invariant
// integers"), Knuth's algorithm D around it.
import { high } from './multiply';
import { clear } from './word';

let quotientDigit: u64 = 0;
let remainderDigit: u64 = 0;

const DIVIDEND = memory.data(80);
const DIVISOR = memory.data(32);

/** ⌊(up:low) / d⌋ for up < d and the top bit of d set. Used once per division, for the reciprocal. */
function divideTwoByOne(up: u64, low: u64, d: u64): u64 {
  const dh = d >> 32, dl = d & 0xffffffff;
  const l1 = low >> 32, l0 = low & 0xffffffff;
  let q1 = up / dh;
  let r = up - q1 * dh;
  while (q1 >= 0x100000000 || q1 * dl > ((r << 32) | l1)) {
    q1--;
    r += dh;
    if (r >= 0x100000000) break;
  }
  const rest = (up << 32) + l1 - q1 * d;
  let q0 = rest / dh;
  r = rest - q0 * dh;
  while (q0 >= 0x100000000 || q0 * dl > ((r << 32) | l0)) {
    q0--;
    r += dh;
    if (r >= 0x100000000) break;
  }
  return (q1 << 32) + q0;
}

/** The same with d's reciprocal; sets quotientDigit and remainderDigit. */
@inline
function divideByReciprocal(up: u64, low: u64, d: u64, reciprocal: u64): void {
  let ql = reciprocal * up;
  let qh = high(reciprocal, up);
  ql += low;
  qh += up + u64(ql < low) + 1;
  let r = low - qh * d;
  if (r > ql) {
    qh--;
    r += d;
  }
  if (r >= d) {
    qh++;
    r -= d;
  }
  quotientDigit = qh;
  remainderDigit = r;
}

/** Significant 64-bit digits among the first `n`. */
@inline
export function digits(at: usize, n: i32): i32 {
  while (n > 0 && load<u64>(at + (n << 3) - 8) == 0) n--;
  return n;
}

/** Shifts `n` digits left by s bits (0 < s < 64), without the digit that flows over. */
@inline
function shiftLeft(to: usize, from: usize, n: i32, s: u64): void {
  for (let i = n - 1; i > 0; i--) {
    store<u64>(to + (i << 3), (load<u64>(from + (i << 3)) << s) | (load<u64>(from + (i << 3) - 8) >> (64 - s)));
  }
  store<u64>(to, load<u64>(from) << s);
}

/**
 * Divides `n` digits (at most 8) by `m` digits, the top ones not zero, m ≤ n. Writes n - m + 1 quotient digits to
 * `quotient` unless that is 0, and the remainder as a word.
 */
export function divideDigits(num: usize, n: i32, den: usize, m: i32, quotient: usize, remainder: usize): void {
  const u = DIVIDEND, v = DIVISOR;
  const s = clz(load<u64>(den + (m << 3) - 8));
  if (s) {
    shiftLeft(v, den, m, s);
    store<u64>(u + (n << 3), load<u64>(num + (n << 3) - 8) >> (64 - s));
    shiftLeft(u, num, n, s);
  } else {
    memory.copy(v, den, m << 3);
    memory.copy(u, num, n << 3);
    store<u64>(u + (n << 3), 0);
  }
  const d1 = load<u64>(v + (m << 3) - 8);
  const reciprocal = divideTwoByOne(~d1, 0xffffffffffffffff, d1);
  clear(remainder);
  if (m == 1) {
    let rest = load<u64>(u + (n << 3));
    for (let i = n - 1; i >= 0; i--) {
      divideByReciprocal(rest, load<u64>(u + (i << 3)), d1, reciprocal);
      if (quotient) store<u64>(quotient + (i << 3), quotientDigit);
      rest = remainderDigit;
    }
    store<u64>(remainder, rest >> s);
    return;
  }
  const d0 = load<u64>(v + (m << 3) - 16);
  for (let j = n - m; j >= 0; j--) {
    const uj = u + (j << 3);
    const u2 = load<u64>(uj + (m << 3)), u1 = load<u64>(uj + (m << 3) - 8), u0 = load<u64>(uj + (m << 3) - 16);
    let q: u64 = 0xffffffffffffffff;
    if (u2 < d1) {
      divideByReciprocal(u2, u1, d1, reciprocal);
      q = quotientDigit;
      let r = remainderDigit;
      let ph = high(q, d0), pl = q * d0;
      if (ph > r || (ph == r && pl > u0)) {
        q--;
        r += d1;
        if (r >= d1) {
          ph = high(q, d0);
          pl = q * d0;
          if (ph > r || (ph == r && pl > u0)) q--;
        }
      }
    }
    let borrow: u64 = 0;
    for (let i = 0; i < m; i++) {
      const vi = load<u64>(v + (i << 3));
      let low = q * vi;
      let up = high(q, vi);
      low += borrow;
      up += u64(low < borrow);
      const x = load<u64>(uj + (i << 3));
      store<u64>(uj + (i << 3), x - low);
      borrow = up + u64(x < low);
    }
    store<u64>(uj + (m << 3), u2 - borrow);
    if (u2 < borrow) {
      q--;
      let carry: u64 = 0;
      for (let i = 0; i < m; i++) {
        const a = load<u64>(uj + (i << 3));
        const sum = a + load<u64>(v + (i << 3));
        const total = sum + carry;
        carry = u64(sum < a) | u64(total < sum);
        store<u64>(uj + (i << 3), total);
      }
      store<u64>(uj + (m << 3), load<u64>(uj + (m << 3)) + carry);
    }
    if (quotient) store<u64>(quotient + (j << 3), q);
  }
  if (s) {
    for (let i = 0; i < m; i++) {
      const up = load<u64>(u + (i << 3) + 8);
      store<u64>(remainder + (i << 3), (load<u64>(u + (i << 3)) >> s) | (up << (64 - s)));
    }
  } else memory.copy(remainder, u, m << 3);
}
