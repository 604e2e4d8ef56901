// 256-bit words in linear memory: four little-endian 64-bit limbs.

@inline
function reversed(v: v128): v128 {
  return v128.shuffle<u8>(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/** Turns 32 big-endian bytes into a word, or a word into bytes; `to` may be `from`. */
@inline
export function swap(to: usize, from: usize): void {
  const high = v128.load(from);
  const low = v128.load(from, 16);
  v128.store(to, reversed(low));
  v128.store(to, reversed(high), 16);
}

@inline
export function copy(to: usize, from: usize): void {
  const a = v128.load(from);
  const b = v128.load(from, 16);
  v128.store(to, a);
  v128.store(to, b, 16);
}

/**
 * Copies bytes that do not overlap; one word, the usual case, without memory.copy, which is a call out of
 * WebAssembly.
 */
@inline
export function move(to: usize, from: usize, bytes: usize): void {
  if (bytes == 32) copy(to, from);
  else if (bytes) memory.copy(to, from, bytes);
}

@inline
export function clear(at: usize): void {
  v128.store(at, i64x2.splat(0));
  v128.store(at, i64x2.splat(0), 16);
}

@inline
export function set(at: usize, value: u64): void {
  store<u64>(at, value);
  store<u64>(at, 0, 8);
  v128.store(at, i64x2.splat(0), 16);
}

@inline
export function setLimbs(at: usize, l0: u64, l1: u64, l2: u64, l3: u64): void {
  store<u64>(at, l0);
  store<u64>(at, l1, 8);
  store<u64>(at, l2, 16);
  store<u64>(at, l3, 24);
}

/** Copies a word that was just written by limbs: a vector would wait until all of them are in the cache. */
@inline
export function copyLimbs(to: usize, from: usize): void {
  setLimbs(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24));
}

/** The three upper limbs or-ed together: 0 when the word fits into 64 bits. */
@inline
export function upper(at: usize): u64 {
  return load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24);
}

@inline
export function isZero(at: usize): bool {
  return (load<u64>(at) | upper(at)) == 0;
}

@inline
export function equal(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  );
}

@inline
export function less(a: usize, b: usize): bool {
  const a3 = load<u64>(a, 24), b3 = load<u64>(b, 24);
  if (a3 != b3) return a3 < b3;
  const a2 = load<u64>(a, 16), b2 = load<u64>(b, 16);
  if (a2 != b2) return a2 < b2;
  const a1 = load<u64>(a, 8), b1 = load<u64>(b, 8);
  if (a1 != b1) return a1 < b1;
  return load<u64>(a) < load<u64>(b);
}

@inline
export function signedLess(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24), b3 = load<i64>(b, 24);
  if (a3 != b3) return a3 < b3;
  const a2 = load<u64>(a, 16), b2 = load<u64>(b, 16);
  if (a2 != b2) return a2 < b2;
  const a1 = load<u64>(a, 8), b1 = load<u64>(b, 8);
  if (a1 != b1) return a1 < b1;
  return load<u64>(a) < load<u64>(b);
}

@inline
export function add(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a), a1 = load<u64>(a, 8), a2 = load<u64>(a, 16), a3 = load<u64>(a, 24);
  const r0 = a0 + load<u64>(b);
  let carry = u64(r0 < a0);
  const s1 = a1 + load<u64>(b, 8);
  const r1 = s1 + carry;
  carry = u64(s1 < a1) | u64(r1 < s1);
  const s2 = a2 + load<u64>(b, 16);
  const r2 = s2 + carry;
  carry = u64(s2 < a2) | u64(r2 < s2);
  setLimbs(to, r0, r1, r2, a3 + load<u64>(b, 24) + carry);
}

@inline
export function subtract(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a), a1 = load<u64>(a, 8), a2 = load<u64>(a, 16), a3 = load<u64>(a, 24);
  const b0 = load<u64>(b), b1 = load<u64>(b, 8), b2 = load<u64>(b, 16), b3 = load<u64>(b, 24);
  let borrow = u64(a0 < b0);
  const s1 = a1 - b1;
  const r1 = s1 - borrow;
  borrow = u64(a1 < b1) | u64(s1 < borrow);
  const s2 = a2 - b2;
  const r2 = s2 - borrow;
  borrow = u64(a2 < b2) | u64(s2 < borrow);
  setLimbs(to, a0 - b0, r1, r2, a3 - b3 - borrow);
}

/** Two's complement, in place. */
export function negate(at: usize): void {
  const r0 = ~load<u64>(at) + 1;
  let carry = u64(r0 == 0);
  const r1 = ~load<u64>(at, 8) + carry;
  carry = carry & u64(r1 == 0);
  const r2 = ~load<u64>(at, 16) + carry;
  carry = carry & u64(r2 == 0);
  setLimbs(at, r0, r1, r2, ~load<u64>(at, 24) + carry);
}

/** Clears all but the 160 bits of an address. */
@inline
export function trimAddress(to: usize, from: usize): void {
  setLimbs(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16) & 0xffffffff, 0);
}

/** Returns the number of significant bytes; 0 for 0. */
export function byteLength(at: usize): i32 {
  for (let i = 3; i >= 0; i--) {
    const limb = load<u64>(at + (i << 3));
    if (limb) return (i << 3) + 8 - i32(clz(limb) >> 3);
  }
  return 0;
}
