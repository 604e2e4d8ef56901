const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** A length of time in its largest unit: 3 s, 5 min, 2 h, 7 d. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [size, unit] = steps.find(([size]) => whole >= size) ?? [1, 's']
  return `${Math.floor(whole / size)} ${unit}`
}

/** How long ago a block was made; both in seconds. */
export function formatAge(timestamp: number, now: number): string {
  if (timestamp === 0) return 'at genesis'
  if (timestamp > now + 5) return `in ${formatSpan(timestamp - now)}`
  return `${formatSpan(now - timestamp)} ago`
}

/** The exact time of a block, in UTC. */
export function formatTime(timestamp: number): string {
  const date = new Date(timestamp * 1000)
  return Number.isNaN(date.getTime())
    ? `second ${timestamp}`
    : `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`
}
