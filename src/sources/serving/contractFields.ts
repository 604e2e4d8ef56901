import { toHex } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { SourceError } from '../fault.ts'
import { type ContractSummary, matchOf, type VerifiedContract } from '../keeping/verifiedContract.ts'
import type { CompiledCode } from '../matching/compiled.ts'
import type { Matched } from '../matching/matchCode.ts'
import { readAddress, showAddress } from './readAddress.ts'

const codeFields =
  'onchainBytecode recompiledBytecode sourceMap linkReferences cborAuxdata transformations transformationValues'

/** Names of fields, each with those inside of it, as Sourcify's API has them. */
const known: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    `matchId creationMatch runtimeMatch verifiedAt sources abi metadata storageLayout transientStorageLayout userdoc devdoc sourceIds stdJsonInput stdJsonOutput`
      .split(' ')
      .map((name) => [name, []]),
  ),
  creationBytecode: codeFields.split(' '),
  runtimeBytecode: [...codeFields.split(' '), 'immutableReferences'],
  deployment: ['transactionHash', 'blockNumber', 'transactionIndex', 'deployer'],
  compilation: ['language', 'compiler', 'compilerVersion', 'compilerSettings', 'name', 'fullyQualifiedName'],
  signatures: ['function', 'event', 'error'],
  proxyResolution: ['isProxy', 'proxyType', 'implementations'],
}

/** What a client wants to know of a contract. */
export interface Selection {
  /** Members, each whole or with the names inside of it that are wanted. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string> | 'whole'>
}

const invalid = (reason: string) => new SourceError({ code: 'invalid_parameter', reason })

function readNames(list: string): readonly (readonly [string, string | undefined])[] {
  return list.split(',').map((text) => {
    const [name = '', inner, ...more] = text.split('.')
    if (more.length > 0) throw invalid(`Field selector cannot have more than one level subselectors: ${text}`)
    if (!Object.hasOwn(known, name) || (inner !== undefined && !known[name]!.includes(inner)))
      throw invalid(`Field selector ${text} is not a valid field`)
    return [name, inner]
  })
}

/** Reads `fields=abi,compilation.name`, `fields=all` or `omit=sources`. */
export function readSelection(query: URLSearchParams): Selection {
  const [fields, omit] = [query.get('fields'), query.get('omit')]
  if (fields !== null && omit !== null) throw invalid('Cannot specify both fields and omit')
  const all = () => new Map<string, Set<string> | 'whole'>(Object.keys(known).map((name) => [name, 'whole']))
  if (fields === 'all') return { wanted: all() }
  if (fields !== null) return { wanted: chosen(readNames(fields)) }
  if (omit === null) return { wanted: new Map() }
  const wanted = all()
  for (const [name, inner] of readNames(omit))
    if (inner === undefined) wanted.delete(name)
    else {
      const before = wanted.get(name)
      const left = new Set(before === 'whole' ? known[name] : before)
      left.delete(inner)
      wanted.set(name, left)
    }
  return { wanted }
}

function chosen(names: readonly (readonly [string, string | undefined])[]): Map<string, Set<string> | 'whole'> {
  const wanted = new Map<string, Set<string> | 'whole'>()
  for (const [name, inner] of names) {
    const before = wanted.get(name)
    if (inner === undefined || before === 'whole') wanted.set(name, 'whole')
    else wanted.set(name, new Set([...(before ?? []), inner]))
  }
  return wanted
}

/** What every answer about a contract has. */
export function minimalOf(summary: ContractSummary) {
  const { runtimeMatch, creationMatch, chainId, address, verifiedAt, matchId } = summary
  return {
    ...{ matchId: String(matchId), creationMatch, runtimeMatch, verifiedAt },
    ...{ match: matchOf(summary), chainId, address: showAddress(address) },
  }
}

/** The same of a contract that is not verified. */
export const unverified = (chainId: string, address: string) => ({
  ...{ match: null, creationMatch: null, runtimeMatch: null },
  ...{ chainId, address: showAddress(readAddress(address)) },
})

/** The members that were asked for, without `proxyResolution`, which only the chain knows. */
export function selectFields(contract: VerifiedContract, { wanted }: Selection): Record<string, unknown> {
  const members: Readonly<Record<string, () => unknown>> = membersOf(contract)
  const selected: Record<string, unknown> = minimalOf(contract.summary)
  for (const [name, inner] of wanted) {
    const value = members[name]?.()
    if (value === undefined) continue
    selected[name] =
      inner === 'whole'
        ? value
        : Object.fromEntries([...inner].map((one) => [one, (value as Record<string, unknown>)[one] ?? null]))
  }
  return selected
}

function membersOf({ details }: VerifiedContract): Record<string, () => unknown> {
  const { compiled, input, target, compilerVersion, deployment, onChain, runtime, creation } = details
  const contractOutput = () => ({
    ...{ abi: compiled.abi, userdoc: compiled.userdoc, devdoc: compiled.devdoc },
    ...{ storageLayout: compiled.storageLayout, transientStorageLayout: compiled.transientStorageLayout },
    metadata: compiled.metadata,
    evm: {
      bytecode: evmOf(compiled.creation),
      deployedBytecode: { ...evmOf(compiled.runtime), immutableReferences: compiled.runtime.immutableReferences },
    },
  })
  return {
    creationBytecode: () => codeOf(compiled.creation, onChain.creation, creation),
    runtimeBytecode: () => ({
      ...codeOf(compiled.runtime, onChain.runtime, runtime),
      immutableReferences: compiled.runtime.immutableReferences,
    }),
    deployment: () => ({
      ...{ transactionHash: deployment?.transactionHash ?? null, blockNumber: deployment?.blockNumber ?? null },
      ...{
        transactionIndex: deployment?.transactionIndex ?? null,
        deployer: deployment ? showAddress(deployment.deployer) : null,
      },
    }),
    sources: () => input.sources,
    compilation: () => ({
      ...{ language: input.language, compiler: 'solc', compilerVersion, compilerSettings: input.settings },
      ...{ name: target.name, fullyQualifiedName: `${target.path}:${target.name}` },
    }),
    abi: () => compiled.abi,
    metadata: () => (compiled.metadata === undefined ? null : JSON.parse(compiled.metadata)),
    storageLayout: () => compiled.storageLayout ?? null,
    transientStorageLayout: () => compiled.transientStorageLayout ?? null,
    userdoc: () => compiled.userdoc ?? null,
    devdoc: () => compiled.devdoc ?? null,
    sourceIds: () => compiled.sourceIds,
    stdJsonInput: () => input,
    stdJsonOutput: () => ({
      sources: compiled.sourceIds,
      contracts: { [target.path]: { [target.name]: contractOutput() } },
    }),
    signatures: () => signaturesOf(compiled.abi),
  }
}

const evmOf = ({ code, sourceMap, linkReferences }: CompiledCode) => ({ object: code, sourceMap, linkReferences })

function codeOf(compiled: CompiledCode, onChain: string | undefined, matched: Matched | undefined) {
  return {
    onchainBytecode: onChain === undefined ? null : `0x${onChain}`,
    recompiledBytecode: `0x${compiled.code}`,
    ...{ sourceMap: compiled.sourceMap ?? null, linkReferences: compiled.linkReferences },
    ...{ cborAuxdata: compiled.auxdata ?? null, transformations: matched?.transformations ?? null },
    transformationValues: matched?.values ?? null,
  }
}

interface AbiParameter {
  readonly type: string
  readonly components?: readonly AbiParameter[]
}

interface AbiEntry {
  readonly type: string
  readonly name?: string
  readonly inputs?: readonly AbiParameter[]
}

const typeOf = ({ type, components }: AbiParameter): string =>
  type.startsWith('tuple') ? `(${(components ?? []).map(typeOf).join()})${type.slice(5)}` : type

function signaturesOf(abi: readonly unknown[]) {
  const of = (kind: string) =>
    (abi as readonly AbiEntry[])
      .filter(({ type }) => type === kind)
      .map(({ name, inputs = [] }) => {
        const signature = `${name}(${inputs.map(typeOf).join()})`
        const hash = toHex(keccak256(Buffer.from(signature)))
        return { signature, signatureHash32: hash, signatureHash4: hash.slice(0, 10) }
      })
  return { function: of('function'), event: of('event'), error: of('error') }
}
