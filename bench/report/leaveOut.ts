/** A peer that a table lacks, and why. */
export interface LeftOut {
  readonly name: string
  readonly reason: string
}

const all: LeftOut[] = []

/** Says once that a peer cannot be measured here; the others are measured all the same. */
export function leaveOut(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  if (all.some((one) => one.name === name)) return
  process.stderr.write(`${name} is left out: ${reason}\n`)
  all.push({ name, reason })
}

/** Those that were left out so far. */
export const leftOut = (): readonly LeftOut[] => all
