import { isAuxdata } from './cborAuxdata.ts'
import type { Auxdata, ImmutableReferences, LinkReferences, Transformation, TransformationValues } from './compiled.ts'

/** Compiled code in which places that may differ have what the chain has there. Digits without 0x. */
export interface Filled {
  readonly code: string
  readonly transformations: readonly Transformation[]
  readonly values: TransformationValues
}

const unchanged = (code: string): Filled => ({ code, transformations: [], values: {} })

/** Replaces digits from `start` on by as many others. */
const replaced = (code: string, start: number, by: string) => code.slice(0, start) + by + code.slice(start + by.length)

/** Code in which many places are replaced: whoever sends sources decides how many, so each must not copy all of it. */
class Patched {
  private readonly digits: Buffer

  constructor(code: string) {
    this.digits = Buffer.from(code, 'latin1')
  }

  put(start: number, by: string): void {
    this.digits.write(by, start, 'latin1')
  }

  code(): string {
    return this.digits.toString('latin1')
  }
}

/** A library's code begins with its own address, which it has from its deployment on: PUSH20 and twenty bytes. */
const pushZeros = `73${'00'.repeat(20)}`

export function fillCallProtection(compiled: string, onChain: string): Filled {
  if (!compiled.startsWith(pushZeros)) return unchanged(compiled)
  const address = onChain.slice(2, pushZeros.length)
  return {
    code: replaced(compiled, 2, address),
    transformations: [{ type: 'replace', reason: 'callProtection', offset: 1 }],
    values: { callProtection: `0x${address}` },
  }
}

/** Immutable variables are written into the code when it is deployed. */
export function fillImmutables(compiled: string, onChain: string, references: ImmutableReferences): Filled {
  const patched = new Patched(compiled)
  const transformations: Transformation[] = []
  const immutables: Record<string, string> = {}
  for (const [id, places] of Object.entries(references))
    for (const { start, length } of places) {
      const value = onChain.slice(2 * start, 2 * (start + length))
      patched.put(2 * start, value)
      transformations.push({ type: 'replace', reason: 'immutable', offset: start, id })
      immutables[id] = `0x${value}`
    }
  if (transformations.length === 0) return unchanged(compiled)
  return { code: patched.code(), transformations, values: { immutables } }
}

/** Addresses of libraries are written into the code when it is linked. */
export function fillLibraries(compiled: string, onChain: string, references: LinkReferences): Filled {
  const patched = new Patched(compiled)
  const transformations: Transformation[] = []
  const libraries: Record<string, string> = {}
  for (const [source, names] of Object.entries(references))
    for (const [name, places] of Object.entries(names))
      for (const { start, length } of places) {
        const address = onChain.slice(2 * start, 2 * (start + length))
        patched.put(2 * start, address)
        const id = `${source}:${name}`
        transformations.push({ type: 'replace', reason: 'library', offset: start, id })
        libraries[id] = `0x${address}`
      }
  if (transformations.length === 0) return unchanged(compiled)
  return { code: patched.code(), transformations, values: { libraries } }
}

/**
 * The hash of the metadata differs with every comment. Undefined if what the chain has at one of the places is no auxiliary data: then
 * the code is another one.
 */
export function fillAuxdata(compiled: string, onChain: string, places: Auxdata): Filled | undefined {
  let code = compiled
  const transformations: Transformation[] = []
  const cborAuxdata: Record<string, string> = {}
  for (const [id, { offset, value }] of Object.entries(places)) {
    const [start, length] = [2 * offset, value.length - 2]
    const found = onChain.slice(start, start + length)
    if (found.length === 0) {
      // Code that was compiled to have none: the compiler puts INVALID before it.
      if (code.slice(start - 2, start) !== 'fe') return undefined
      code = code.slice(0, start - 2) + code.slice(start + length)
      transformations.push({ type: 'delete', reason: 'cborAuxdata', offset: offset - 1, length: length / 2 + 1 })
      continue
    }
    if (!isAuxdata(found)) return undefined
    code = code.slice(0, start) + found + code.slice(start + length)
    transformations.push({
      ...{ type: 'replace', reason: 'cborAuxdata', offset, id },
      ...(found.length !== length && { length: length / 2 }),
    })
    cborAuxdata[id] = `0x${found}`
  }
  return { code, transformations, values: { cborAuxdata } }
}
