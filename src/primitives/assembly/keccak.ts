// Keccak-256 (the pre-standard padding that Ethereum uses). The 25 lanes of the state live in locals through all 24 rounds,
// which is what makes this several times faster than an array in linear memory. Six of them are kept inverted: with that,
// most of the inversions of chi become ORs (5 % of the time).

const ROUND_CONSTANTS = memory.data<u64>([
  0x0000000000000001,
  0x0000000000008082,
  0x800000000000808a,
  0x8000000080008000,
  0x000000000000808b,
  0x0000000080000001,
  0x8000000080008081,
  0x8000000000008009,
  0x000000000000008a,
  0x0000000000000088,
  0x0000000080008009,
  0x000000008000000a,
  0x000000008000808b,
  0x800000000000008b,
  0x8000000000008089,
  0x8000000000008003,
  0x8000000000008002,
  0x8000000000000080,
  0x000000000000800a,
  0x800000008000000a,
  0x8000000080008081,
  0x8000000000008080,
  0x0000000080000001,
  0x8000000080008008,
]);
const STATE = memory.data(200);
export const RATE: usize = 136;

export function permute(st: usize): void {
  let a0: u64 = load<u64>(st, 0);
  let a1: u64 = ~load<u64>(st, 8);
  let a2: u64 = ~load<u64>(st, 16);
  let a3: u64 = load<u64>(st, 24);
  let a4: u64 = load<u64>(st, 32);
  let a5: u64 = load<u64>(st, 40);
  let a6: u64 = load<u64>(st, 48);
  let a7: u64 = load<u64>(st, 56);
  let a8: u64 = ~load<u64>(st, 64);
  let a9: u64 = load<u64>(st, 72);
  let a10: u64 = load<u64>(st, 80);
  let a11: u64 = load<u64>(st, 88);
  let a12: u64 = ~load<u64>(st, 96);
  let a13: u64 = load<u64>(st, 104);
  let a14: u64 = load<u64>(st, 112);
  let a15: u64 = load<u64>(st, 120);
  let a16: u64 = load<u64>(st, 128);
  let a17: u64 = ~load<u64>(st, 136);
  let a18: u64 = load<u64>(st, 144);
  let a19: u64 = load<u64>(st, 152);
  let a20: u64 = ~load<u64>(st, 160);
  let a21: u64 = load<u64>(st, 168);
  let a22: u64 = load<u64>(st, 176);
  let a23: u64 = load<u64>(st, 184);
  let a24: u64 = load<u64>(st, 192);
  for (let r: usize = 0; r < 192; r += 8) {
    // theta
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl(c1, 1);
    const d1 = c0 ^ rotl(c2, 1);
    const d2 = c1 ^ rotl(c3, 1);
    const d3 = c2 ^ rotl(c4, 1);
    const d4 = c3 ^ rotl(c0, 1);
    // rho and pi
    const b0 = a0 ^ d0;
    const b16 = rotl(a5 ^ d0, 36);
    const b7 = rotl(a10 ^ d0, 3);
    const b23 = rotl(a15 ^ d0, 41);
    const b14 = rotl(a20 ^ d0, 18);
    const b10 = rotl(a1 ^ d1, 1);
    const b1 = rotl(a6 ^ d1, 44);
    const b17 = rotl(a11 ^ d1, 10);
    const b8 = rotl(a16 ^ d1, 45);
    const b24 = rotl(a21 ^ d1, 2);
    const b20 = rotl(a2 ^ d2, 62);
    const b11 = rotl(a7 ^ d2, 6);
    const b2 = rotl(a12 ^ d2, 43);
    const b18 = rotl(a17 ^ d2, 15);
    const b9 = rotl(a22 ^ d2, 61);
    const b5 = rotl(a3 ^ d3, 28);
    const b21 = rotl(a8 ^ d3, 55);
    const b12 = rotl(a13 ^ d3, 25);
    const b3 = rotl(a18 ^ d3, 21);
    const b19 = rotl(a23 ^ d3, 56);
    const b15 = rotl(a4 ^ d4, 27);
    const b6 = rotl(a9 ^ d4, 20);
    const b22 = rotl(a14 ^ d4, 39);
    const b13 = rotl(a19 ^ d4, 8);
    const b4 = rotl(a24 ^ d4, 14);
    // chi and iota
    a0 = b0 ^ (b1 | b2) ^ load<u64>(ROUND_CONSTANTS + r);
    a1 = b1 ^ (~b2 | b3);
    a2 = b2 ^ (b3 & b4);
    a3 = b3 ^ (b4 | b0);
    a4 = b4 ^ (b0 & b1);
    a5 = b5 ^ (b6 | b7);
    a6 = b6 ^ (b7 & b8);
    a7 = b7 ^ (b8 | ~b9);
    a8 = b8 ^ (b9 | b5);
    a9 = b9 ^ (b5 & b6);
    const n13 = ~b13;
    a10 = b10 ^ (b11 | b12);
    a11 = b11 ^ (b12 & b13);
    a12 = b12 ^ (n13 & b14);
    a13 = n13 ^ (b14 | b10);
    a14 = b14 ^ (b10 & b11);
    const n18 = ~b18;
    a15 = b15 ^ (b16 & b17);
    a16 = b16 ^ (b17 | b18);
    a17 = b17 ^ (n18 | b19);
    a18 = n18 ^ (b19 & b15);
    a19 = b19 ^ (b15 | b16);
    const n21 = ~b21;
    a20 = b20 ^ (n21 & b22);
    a21 = n21 ^ (b22 | b23);
    a22 = b22 ^ (b23 & b24);
    a23 = b23 ^ (b24 | b20);
    a24 = b24 ^ (b20 & b21);
  }
  store<u64>(st, a0, 0);
  store<u64>(st, ~a1, 8);
  store<u64>(st, ~a2, 16);
  store<u64>(st, a3, 24);
  store<u64>(st, a4, 32);
  store<u64>(st, a5, 40);
  store<u64>(st, a6, 48);
  store<u64>(st, a7, 56);
  store<u64>(st, ~a8, 64);
  store<u64>(st, a9, 72);
  store<u64>(st, a10, 80);
  store<u64>(st, a11, 88);
  store<u64>(st, ~a12, 96);
  store<u64>(st, a13, 104);
  store<u64>(st, a14, 112);
  store<u64>(st, a15, 120);
  store<u64>(st, a16, 128);
  store<u64>(st, ~a17, 136);
  store<u64>(st, a18, 144);
  store<u64>(st, a19, 152);
  store<u64>(st, ~a20, 160);
  store<u64>(st, a21, 168);
  store<u64>(st, a22, 176);
  store<u64>(st, a23, 184);
  store<u64>(st, a24, 192);
}

/** Writes the 32-byte Keccak-256 of the `len` bytes at `ptr` to `out`, which may overlap the input. */
export function keccak(ptr: usize, len: usize, out: usize): void {
  memory.fill(STATE, 0, 200);
  while (len >= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(ptr + i));
    permute(STATE);
    ptr += RATE;
    len -= RATE;
  }
  let i: usize = 0;
  for (; i + 8 <= len; i += 8) store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(ptr + i));
  for (; i < len; i++) store<u8>(STATE + i, load<u8>(STATE + i) ^ load<u8>(ptr + i));
  store<u8>(STATE + len, load<u8>(STATE + len) ^ 1);
  store<u8>(STATE + RATE - 1, load<u8>(STATE + RATE - 1) ^ 0x80);
  permute(STATE);
  memory.copy(out, STATE, 32);
}
