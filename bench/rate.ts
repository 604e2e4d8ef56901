/** Operations per second of `work`, which says how many it did, after a warm-up of a tenth of the time. */
export function measureRate(work: () => number, milliseconds = 1000): number {
  repeat(work, milliseconds / 10)
  return repeat(work, milliseconds)
}

function repeat(work: () => number, milliseconds: number): number {
  const start = performance.now()
  let count = 0
  let now = start
  while (now - start < milliseconds) {
    count += work()
    now = performance.now()
  }
  return (count * 1000) / (now - start)
}

/** A number with at most three meaningful digits and separators: 12,300. */
export function round(n: number): string {
  return Number(n.toPrecision(3)).toLocaleString('en')
}
