// Inverses modulo an odd number of up to 256 bits by Bernstein and Yang's division steps (https://eprint.iacr.org/2019/266), in
// the variable-time form of libsecp256k1 for limbs of 30 bits: thirty steps at a time are gathered in a matrix, which is then
// applied to the whole numbers. Numbers have nine limbs, least first, of which the last one is signed.

const BITS: i64 = 30;
const MASK: i64 = 0x3fffffff;
const COUNT: i32 = 9;

const F: usize = memory.data(36, 8);
const G: usize = memory.data(36, 8);
const D: usize = memory.data(36, 8);
const E: usize = memory.data(36, 8);

// The matrix, times 2³⁰.
let u: i64 = 0;
let v: i64 = 0;
let q: i64 = 0;
let r: i64 = 0;

/** Takes thirty steps from the lowest limbs of f and g; returns the new eta. */
function steps(eta: i32, f: u32, g: u32): i32 {
  let a: u32 = 1, b: u32 = 0, c: u32 = 0, d: u32 = 1;
  let left: i32 = 30;
  for (;;) {
    const zeros = ctz(g | (0xffffffff << left));
    g >>= zeros;
    a <<= zeros;
    b <<= zeros;
    eta -= zeros;
    left -= zeros;
    if (left == 0) break;
    let w: u32;
    if (eta < 0) {
      eta = -eta;
      let t = f;
      f = g;
      g = 0 - t;
      t = a;
      a = c;
      c = 0 - t;
      t = b;
      b = d;
      d = 0 - t;
      // −g/f modulo 2⁶, as far as there are steps for it.
      w = (f * g * (f * f - 2)) & ((0xffffffff >> (32 - min(eta + 1, left))) & 63);
    } else {
      // −g/f modulo 2⁴.
      w = f + (((f + 1) & 4) << 1);
      w = ((0 - w) * g) & ((0xffffffff >> (32 - min(eta + 1, left))) & 15);
    }
    g += f * w;
    c += a * w;
    d += b * w;
  }
  u = i64(<i32>a);
  v = i64(<i32>b);
  q = i64(<i32>c);
  r = i64(<i32>d);
  return eta;
}

/** (D, E) = matrix · (D, E) / 2³⁰ modulo n. */
function updateFactors(n: usize, inverse: u32): void {
  const u0 = u, v0 = v, q0 = q, r0 = r;
  let d = <i64>load<i32>(D), e = <i64>load<i32>(E);
  const signD = <i64>load<i32>(D, 32) >> 63, signE = <i64>load<i32>(E, 32) >> 63;
  let timesD = (u0 & signD) + (v0 & signE), timesE = (q0 & signD) + (r0 & signE);
  let sumD = u0 * d + v0 * e, sumE = q0 * d + r0 * e;
  // Multiples of n that make the lowest limbs zero.
  timesD -= <i64>((inverse * <u32>sumD + <u32>timesD) & <u32>MASK);
  timesE -= <i64>((inverse * <u32>sumE + <u32>timesE) & <u32>MASK);
  let limb = <i64>load<i32>(n);
  sumD = (sumD + limb * timesD) >> BITS;
  sumE = (sumE + limb * timesE) >> BITS;
  for (let i: usize = 4; i < 36; i += 4) {
    d = <i64>load<i32>(D + i);
    e = <i64>load<i32>(E + i);
    limb = <i64>load<i32>(n + i);
    sumD += u0 * d + v0 * e + limb * timesD;
    sumE += q0 * d + r0 * e + limb * timesE;
    store<i32>(D + i - 4, <i32>(sumD & MASK));
    store<i32>(E + i - 4, <i32>(sumE & MASK));
    sumD >>= BITS;
    sumE >>= BITS;
  }
  store<i32>(D, <i32>sumD, 32);
  store<i32>(E, <i32>sumE, 32);
}

/** (F, G) = matrix · (F, G) / 2³⁰, for as many limbs as they still have. */
function updateNumbers(limbs: i32): void {
  const u0 = u, v0 = v, q0 = q, r0 = r;
  let f = <i64>load<i32>(F), g = <i64>load<i32>(G);
  let sumF = (u0 * f + v0 * g) >> BITS, sumG = (q0 * f + r0 * g) >> BITS;
  const end = usize(limbs) << 2;
  for (let i: usize = 4; i < end; i += 4) {
    f = <i64>load<i32>(F + i);
    g = <i64>load<i32>(G + i);
    sumF += u0 * f + v0 * g;
    sumG += q0 * f + r0 * g;
    store<i32>(F + i - 4, <i32>(sumF & MASK));
    store<i32>(G + i - 4, <i32>(sumG & MASK));
    sumF >>= BITS;
    sumG >>= BITS;
  }
  store<i32>(F + end - 4, <i32>sumF);
  store<i32>(G + end - 4, <i32>sumG);
}

function isZero(at: usize, limbs: i32): bool {
  let all = 0;
  for (let i = 0; i < limbs; i++) all |= load<i32>(at + (i << 2));
  return all == 0;
}

/** D = sign·D + (n if that is negative), with limbs from 0 to 2³⁰ − 1 but the last. */
function settle(n: usize, sign: i64, isMore: bool): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < 36; i += 4) {
    carry += sign * <i64>load<i32>(D + i) + (isMore ? <i64>load<i32>(n + i) : 0);
    store<i32>(D + i, <i32>(i < 32 ? carry & MASK : carry));
    carry >>= BITS;
  }
}

/** Replaces the 256-bit number at `at`, which is below n, by its inverse; n has limbs of 30 bits, and `inverse` is n⁻¹ modulo 2³⁰. */
export function invertModulo(at: usize, n: usize, inverse: u32): void {
  const w0 = load<u64>(at), w1 = load<u64>(at, 8), w2 = load<u64>(at, 16), w3 = load<u64>(at, 24);
  const mask = <u64>MASK;
  store<u32>(G, <u32>(w0 & mask));
  store<u32>(G, <u32>((w0 >> 30) & mask), 4);
  store<u32>(G, <u32>(((w0 >> 60) | (w1 << 4)) & mask), 8);
  store<u32>(G, <u32>((w1 >> 26) & mask), 12);
  store<u32>(G, <u32>(((w1 >> 56) | (w2 << 8)) & mask), 16);
  store<u32>(G, <u32>((w2 >> 22) & mask), 20);
  store<u32>(G, <u32>(((w2 >> 52) | (w3 << 12)) & mask), 24);
  store<u32>(G, <u32>((w3 >> 18) & mask), 28);
  store<u32>(G, <u32>(w3 >> 48), 32);
  for (let i: usize = 0; i < 36; i += 4) {
    store<u32>(F + i, load<u32>(n + i));
    store<u32>(D + i, 0);
    store<u32>(E + i, i == 0 ? 1 : 0);
  }
  let eta = -1;
  let limbs = COUNT;
  while (!isZero(G, limbs)) {
    eta = steps(eta, load<u32>(F), load<u32>(G));
    updateFactors(n, inverse);
    updateNumbers(limbs);
    // The last limbs are dropped when both are only a sign.
    const last = usize(limbs - 1) << 2;
    const f = load<i32>(F + last), g = load<i32>(G + last);
    if (limbs > 1 && ((f ^ (f >> 31)) | (g ^ (g >> 31))) == 0) {
      store<i32>(F + last - 4, load<i32>(F + last - 4) | (f << 30));
      store<i32>(G + last - 4, load<i32>(G + last - 4) | (g << 30));
      limbs--;
    }
  }
  // D is between −2n and n; it belongs to f, which is 1 or −1.
  if (load<i32>(D, 32) < 0) settle(n, 1, true);
  if (load<i32>(F + (usize(limbs - 1) << 2)) < 0) settle(n, -1, false);
  if (load<i32>(D, 32) < 0) settle(n, 1, true);
  const d2 = <u64>load<u32>(D, 8), d4 = <u64>load<u32>(D, 16), d6 = <u64>load<u32>(D, 24);
  store<u64>(at, <u64>load<u32>(D) | (<u64>load<u32>(D, 4) << 30) | (d2 << 60));
  store<u64>(at, (d2 >> 4) | (<u64>load<u32>(D, 12) << 26) | (d4 << 56), 8);
  store<u64>(at, (d4 >> 8) | (<u64>load<u32>(D, 20) << 22) | (d6 << 52), 16);
  store<u64>(at, (d6 >> 12) | (<u64>load<u32>(D, 28) << 18) | (<u64>load<u32>(D, 32) << 48), 24);
}
