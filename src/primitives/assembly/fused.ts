// The fused multiply-add of the relaxed vector instructions.

/** x·y + z in each lane, rounded once where the machine can. */
@inline
export function fused(x: v128, y: v128, z: v128): v128 {
  return v128.relaxed_madd<f64>(x, y, z);
}

/** Whether this machine's multiply-add rounds once. */
export function isFused(x: f64): bool {
  const square = f64x2.splat(x * x);
  return f64x2.extract_lane(fused(f64x2.splat(x), f64x2.splat(x), f64x2.neg(square)), 0) != 0;
}
