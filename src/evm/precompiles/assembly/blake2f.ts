// BLAKE2b's compression function with a free number of rounds (EIP-152), two 64-bit lanes per vector.
// Input area as the precompile gets it, without the round count: h (64), m (128), t (16), final flag (1).
// The result replaces h.

const INPUT: usize = memory.data(224, 16);
/** The message words of ten rounds, each in the order in which its round takes them. */
const SCHEDULE: usize = memory.data(10 * 128, 16);

const IV: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
], 16);

const SIGMA: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
  7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
  2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
  13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
  10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
]);

/**
 * Byte orders that rotate both lanes by 24 and by 16 bits. They are loaded from memory and used with the relaxed
 * instruction, whose result is undefined for indices above 15: V8 would otherwise build or check them at each use.
 */
const ROTATIONS: usize = memory.data<u8>([
  3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10,
  2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9,
], 16);

/**
 * Index of SIGMA's entry for each position of the schedule: first the words that G adds first, then the others. Those of
 * the diagonals begin with the last one, which is then in the first column.
 */
const PLACES: usize = memory.data<u8>([0, 2, 4, 6, 1, 3, 5, 7, 14, 8, 10, 12, 15, 9, 11, 13]);

export function inputAt(): usize {
  return INPUT;
}

function schedule(rows: u32): void {
  const message = INPUT + 64;
  for (let row: usize = 0; row < rows; row++) {
    for (let i: usize = 0; i < 16; i++) {
      const word = <usize>load<u8>(SIGMA + row * 16 + load<u8>(PLACES + i));
      store<u64>(SCHEDULE + row * 128 + i * 8, load<u64>(message + word * 8));
    }
  }
}

@inline
function rotate32(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
}

@inline
function rotate24(x: v128, by24: v128): v128 {
  return i8x16.relaxed_swizzle(x, by24);
}

@inline
function rotate16(x: v128, by16: v128): v128 {
  return i8x16.relaxed_swizzle(x, by16);
}

@inline
function rotate63(x: v128): v128 {
  return v128.or(i64x2.add(x, x), i64x2.shr_u(x, 63));
}

/** x + y + words, in an order that does not wait for the words: y is ready last. */
@inline
function add3(x: v128, y: v128, words: v128): v128 {
  return i64x2.add(i64x2.add(x, words), y);
}

/** The last lane of x, then the first lane of y. */
@inline
function join(x: v128, y: v128): v128 {
  return v128.shuffle<u64>(x, y, 1, 2);
}

/** Runs `rounds` rounds on the input area. */
export function compress(rounds: u32): void {
  schedule(min(rounds, 10));
  let a0 = v128.load(INPUT);
  let a1 = v128.load(INPUT, 16);
  let b0 = v128.load(INPUT, 32);
  let b1 = v128.load(INPUT, 48);
  let c0 = v128.load(IV);
  let c1 = v128.load(IV, 16);
  let d0 = v128.xor(v128.load(IV, 32), v128.load(INPUT, 192));
  let d1 = v128.load(IV, 48);
  if (load<u8>(INPUT, 208)) d1 = v128.xor(d1, i64x2(-1, 0));
  let t: v128;
  const by24 = v128.load(ROTATIONS);
  const by16 = v128.load(ROTATIONS, 16);

  let words = SCHEDULE;
  for (let round: u32 = 0; round < rounds; round++) {
    // Columns.
    a0 = add3(a0, b0, v128.load(words));
    a1 = add3(a1, b1, v128.load(words, 16));
    d0 = rotate32(v128.xor(d0, a0));
    d1 = rotate32(v128.xor(d1, a1));
    c0 = i64x2.add(c0, d0);
    c1 = i64x2.add(c1, d1);
    b0 = rotate24(v128.xor(b0, c0), by24);
    b1 = rotate24(v128.xor(b1, c1), by24);
    a0 = add3(a0, b0, v128.load(words, 32));
    a1 = add3(a1, b1, v128.load(words, 48));
    d0 = rotate16(v128.xor(d0, a0), by16);
    d1 = rotate16(v128.xor(d1, a1), by16);
    c0 = i64x2.add(c0, d0);
    c1 = i64x2.add(c1, d1);
    b0 = rotate63(v128.xor(b0, c0));
    b1 = rotate63(v128.xor(b1, c1));

    // Rows are rotated so that diagonals become columns, except b, which is ready last; d0 and d1 are only exchanged.
    t = join(a1, a0);
    a1 = join(a0, a1);
    a0 = t;
    t = join(c0, c1);
    c1 = join(c1, c0);
    c0 = t;

    a0 = add3(a0, b0, v128.load(words, 64));
    a1 = add3(a1, b1, v128.load(words, 80));
    d1 = rotate32(v128.xor(d1, a0));
    d0 = rotate32(v128.xor(d0, a1));
    c0 = i64x2.add(c0, d1);
    c1 = i64x2.add(c1, d0);
    b0 = rotate24(v128.xor(b0, c0), by24);
    b1 = rotate24(v128.xor(b1, c1), by24);
    a0 = add3(a0, b0, v128.load(words, 96));
    a1 = add3(a1, b1, v128.load(words, 112));
    d1 = rotate16(v128.xor(d1, a0), by16);
    d0 = rotate16(v128.xor(d0, a1), by16);
    c0 = i64x2.add(c0, d1);
    c1 = i64x2.add(c1, d0);
    b0 = rotate63(v128.xor(b0, c0));
    b1 = rotate63(v128.xor(b1, c1));

    t = join(a0, a1);
    a1 = join(a1, a0);
    a0 = t;
    t = join(c1, c0);
    c1 = join(c0, c1);
    c0 = t;

    words += 128;
    if (words == SCHEDULE + 1280) words = SCHEDULE;
  }

  v128.store(INPUT, v128.xor(v128.load(INPUT), v128.xor(a0, c0)));
  v128.store(INPUT, v128.xor(v128.load(INPUT, 16), v128.xor(a1, c1)), 16);
  v128.store(INPUT, v128.xor(v128.load(INPUT, 32), v128.xor(b0, d0)), 32);
  v128.store(INPUT, v128.xor(v128.load(INPUT, 48), v128.xor(b1, d1)), 48);
}
