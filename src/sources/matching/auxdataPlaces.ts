import { auxdataAtEnd } from './cborAuxdata.ts'
import type { Auxdata } from './compiled.ts'

/** The auxiliary data of a contract and of those that it creates, as digits, in the compiler's order. */
export function auxdataOfAssembly(assembly: unknown): readonly string[] {
  if (typeof assembly !== 'object' || assembly === null) return []
  return Object.entries(assembly).flatMap(([key, value]: [string, unknown]) => {
    if (key === '.auxdata') return [String(value)]
    return key === '.data' || /^[0-9]+$/.test(key) ? auxdataOfAssembly(value) : []
  })
}

/** The auxiliary data of code that has it at its end only; undefined if there is none. */
export function placeAtEnd(code: string): Auxdata | undefined {
  const auxdata = auxdataAtEnd(code)
  return auxdata === undefined
    ? undefined
    : { 1: { offset: (code.length - auxdata.length) / 2, value: `0x${auxdata}` } }
}

/** Indices at which two texts differ, as far as the shorter one goes. */
function differences(one: string, other: string): number[] {
  const found: number[] = []
  const end = Math.min(one.length, other.length)
  for (let i = 0; i < end; i++) if (one[i] !== other[i]) found.push(i)
  return found
}

/** Code, and the auxiliary data that the compiler names. */
interface Compiled {
  readonly code: string
  readonly auxdata: readonly string[]
}

/**
 * Finds auxiliary data inside of code by compiling the same once more from sources with another hash: only what differs then can be it. A
 * search for the bytes would find them where an attacker has put them as well, and leave those places out of the comparison.
 */
export function findAuxdata(compiled: Compiled, edited: Compiled): Auxdata {
  const wanted = compiled.auxdata.map((text, i) => ({
    text,
    /** Where the first difference lies in it. */
    start: differences(text, edited.auxdata[i] ?? '')[0],
  }))
  const found: Record<string, Auxdata[string]> = {}
  let last = Number.NEGATIVE_INFINITY
  for (const at of differences(compiled.code, edited.code)) {
    const follows = at === last + 1
    last = at
    if (follows) continue
    const i = wanted.findIndex(
      ({ text, start }, index) =>
        found[index + 1] === undefined && start !== undefined && compiled.code.startsWith(text, at - start),
    )
    if (i >= 0) found[i + 1] = { offset: (at - wanted[i]!.start!) / 2, value: `0x${wanted[i]!.text}` }
  }
  return found
}
