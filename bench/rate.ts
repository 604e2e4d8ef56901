import { type Spread, spreadOf } from './spread.ts'

/** Operations per second of `work`, which says how many it did, after a warm-up of a tenth of the time. */
export function measureRate(work: () => number, milliseconds = 1000): number {
  repeat(work, milliseconds / 10)
  return repeat(work, milliseconds)
}

/** Turns that each of several works gets. */
const turns = 10

/** Operations per second of several works that take turns, so that whatever else the machine does slows all alike. */
export function measureInTurn(works: readonly (() => number)[], milliseconds = 1000): Spread[] {
  for (const work of works) repeat(work, milliseconds / 10)
  const rates: number[][] = works.map(() => [])
  for (let turn = 0; turn < turns; turn++)
    for (const [i, work] of works.entries()) rates[i]!.push(repeat(work, milliseconds / turns))
  return rates.map(spreadOf)
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
