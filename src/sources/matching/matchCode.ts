import { hasMetadataHash } from './cborAuxdata.ts'
import type { CompiledCode, CompiledContract, Transformation, TransformationValues } from './compiled.ts'
import { type AbiInput, areEncoded } from './constructorArguments.ts'
import { type Filled, fillAuxdata, fillCallProtection, fillImmutables, fillLibraries } from './transformations.ts'

/**
 * How far code on the chain is that of the sources, in Sourcify's words: `exact_match` if all of it is, with the hash of the metadata
 * and so of every character of the sources; `match` if all is but that hash, or where there is none.
 */
export type Match = 'exact_match' | 'match'

/** A comparison that succeeded: its differences that do not count. */
export interface Matched {
  readonly match: Match
  readonly transformations: readonly Transformation[]
  readonly values: TransformationValues
}

interface Compared extends Matched {
  /** The compiled code as it is on the chain, without arguments behind it. */
  readonly code: string
}

function compare(
  { linkReferences, auxdata }: CompiledCode,
  filled: string,
  onChain: string,
  isEqual: (code: string) => boolean,
): Compared | undefined {
  const linked = fillLibraries(filled, onChain, linkReferences)
  if (isEqual(linked.code)) {
    const all = Object.values(auxdata ?? {})
    const isExact = all.length > 0 && all.every(({ value }) => hasMetadataHash(value))
    return { ...linked, match: isExact ? 'exact_match' : 'match' }
  }
  if (!auxdata || Object.keys(auxdata).length === 0) return undefined
  const other = fillAuxdata(linked.code, onChain, auxdata)
  if (!other || !isEqual(other.code)) return undefined
  return { code: other.code, match: 'match', ...joined(linked, other) }
}

/** The differences of several steps. */
function joined(...steps: readonly Pick<Filled, 'transformations' | 'values'>[]): Omit<Matched, 'match'> {
  return {
    transformations: steps.flatMap(({ transformations }) => transformations),
    values: Object.assign({}, ...steps.map(({ values }) => values)) as TransformationValues,
  }
}

/** Compares the code of a contract; digits without 0x. Undefined if it is another one. */
export function matchRuntime({ runtime }: CompiledContract, onChain: string): Matched | undefined {
  const called = fillCallProtection(runtime.code, onChain)
  const immutable = fillImmutables(called.code, onChain, runtime.immutableReferences)
  const compared = compare(runtime, immutable.code, onChain, (code) => code === onChain)
  return compared && { match: compared.match, ...joined(called, immutable, compared) }
}

/** Compares the code that created a contract, behind which the constructor's arguments stand. */
export function matchCreation({ creation, abi }: CompiledContract, onChain: string): Matched | undefined {
  const compared = compare(creation, creation.code, onChain, (code) => onChain.startsWith(code))
  if (!compared) return undefined
  const behind = onChain.slice(compared.code.length)
  if (behind === '') return { match: compared.match, ...joined(compared) }
  if (!areEncoded(inputsOf(abi), Buffer.from(behind, 'hex'))) return undefined
  const offset = compared.code.length / 2
  return {
    match: compared.match,
    ...joined(compared, {
      transformations: [{ type: 'insert', reason: 'constructorArguments', offset }],
      values: { constructorArguments: `0x${behind}` },
    }),
  }
}

function inputsOf(abi: readonly unknown[]): readonly AbiInput[] {
  const entries = abi as readonly { readonly type?: string; readonly inputs?: readonly AbiInput[] }[]
  return entries.find(({ type }) => type === 'constructor')?.inputs ?? []
}
