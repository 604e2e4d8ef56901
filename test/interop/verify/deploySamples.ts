import { encodeAbiParameters, getContractAddress, toFunctionSelector } from 'viem'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { type Argument, deployer, type Sample, samples } from './contracts.ts'
import { type Difference, differences } from './differences.ts'
import type { SourceChain } from './sourceChain.ts'

/** Code of contracts as a tool has compiled it: digits without 0x, linked with libraries (`File.sol:Name` → address). */
export type CodeOf = (sample: Sample, contract: string, libraries: Libraries) => string

/** A contract on the chain whose sources a tool is to send. */
export interface Deployed {
  readonly sample: Sample
  readonly address: string
  readonly libraries: Libraries
  readonly args: readonly Argument[]
  /** Why it has to be refused; undefined if it is what the sources say. */
  readonly difference: Difference | undefined
}

/** The arguments as they stand behind the code; digits. */
export function encodeArguments(args: readonly Argument[]): string {
  const values = args.map(({ value }) => value)
  return encodeAbiParameters(
    args.map(({ type }) => ({ type })),
    values,
  ).slice(2)
}

/** Addresses of a sample's libraries, by `File.sol:Name`. */
export type Libraries = Readonly<Record<string, string>>

/** Where the libraries will be: they are the first contracts on a chain, and forge wants to know before it compiles. */
export function placesOfLibraries(): ReadonlyMap<Sample, Libraries> {
  let nonce = 0n
  const next = () => getContractAddress({ from: deployer.address as `0x${string}`, nonce: nonce++ }).toLowerCase()
  return new Map(
    samples.map((sample) => [sample, Object.fromEntries((sample.libraries ?? []).map((name) => [name, next()]))]),
  )
}

async function deployLibraries(chain: SourceChain, places: ReadonlyMap<Sample, Libraries>, codeOf: CodeOf) {
  for (const [sample, libraries] of places)
    for (const [name, place] of Object.entries(libraries)) {
      const address = await chain.create(codeOf(sample, name, {}))
      if (address !== place) throw new Error(`${name} is at ${address}, not at ${place}`)
    }
}

/** What is on the chain in the place of the contracts that differ: those, or what the sources say. */
export type Places = 'as they differ' | 'as the sources say'

/** Deploys all contracts and those that differ from their sources. */
export async function deploySamples(chain: SourceChain, codeOf: CodeOf, places: Places): Promise<readonly Deployed[]> {
  const libraries = placesOfLibraries()
  await deployLibraries(chain, libraries, codeOf)
  const deployed: Deployed[] = []
  let first = ''
  for (const sample of samples) {
    const linked = libraries.get(sample)!
    const args = sample.args?.(first) ?? []
    const address = sample.factory
      ? await createByFactory(chain, codeOf(sample, sample.factory, linked))
      : await chain.create(codeOf(sample, sample.target, linked) + encodeArguments(args))
    first ||= address
    deployed.push({ sample, address, libraries: linked, args, difference: undefined })
  }
  for (const difference of differences) {
    const { of: sample } = difference
    const code = places === 'as they differ' ? await difference.code(first) : codeOf(sample, sample.target, {})
    deployed.push({ sample, address: await chain.create(code), libraries: {}, args: [], difference })
  }
  await chain.settle()
  return deployed
}

async function createByFactory(chain: SourceChain, code: string): Promise<string> {
  const factory = await chain.create(code)
  await chain.send(factory, toFunctionSelector('function make()'))
  await chain.settle()
  const word = await chain.call<string>(
    'eth_call',
    { to: factory, data: toFunctionSelector('function made()') },
    'latest',
  )
  return toHex(hexToAddress(`0x${word.slice(-40)}`))
}

/** Places of a library in code, as compilers list them. */
export type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
>

/** Writes addresses of libraries into code; `nameOf` says which library a file of the compiler's is. */
export function linkCode(
  code: string,
  references: LinkReferences,
  addressOf: (file: string, name: string) => string,
): string {
  const bytes = code.replace(/^0x/, '')
  let linked = bytes
  for (const [file, names] of Object.entries(references))
    for (const [name, found] of Object.entries(names))
      for (const { start } of found) {
        const address = addressOf(file, name).slice(2)
        linked = linked.slice(0, 2 * start) + address + linked.slice(2 * start + address.length)
      }
  fromHex(linked)
  return linked
}
