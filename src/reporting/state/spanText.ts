const units = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const

/** A length of time in its largest unit: 3 s, 5 min, 2 h. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  // Below two minutes seconds matter.
  const unit = units.find(([size]) => whole >= Math.max(size, 120))
  return unit ? `${Math.floor(whole / unit[0])} ${unit[1]}` : `${whole} s`
}
