import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getAddress } from 'viem'
import { runCompiler } from '../../../src/sources/compiling/runCompiler.ts'
import type { Checks } from '../checks.ts'
import type { CompilerVersion } from './contracts.ts'
import type { Deployed } from './deploySamples.ts'
import { compilerOf, modules } from './samplePackages.ts'
import { chainId, type SourceChain } from './sourceChain.ts'
import { verdictOf } from './verdicts.ts'

// Sourcify's own library as a second opinion: it is what their server compares code with.

/** What is used of their library. */
interface LibSourcify {
  setLibSourcifyLoggerLevel(level: number): void
  SourcifyChain: new (chain: object) => object
  SolidityCompilation: new (compiler: object, version: string, input: object, target: object) => object
  Verification: new (compilation: object, chain: object, address: string, creationHash?: string) => Verification
}

interface Differences {
  readonly list: readonly unknown[]
  readonly values: unknown
}

interface Verification {
  verify(): Promise<void>
  readonly status: { readonly runtimeMatch: string | null; readonly creationMatch: string | null }
  readonly transformations: { readonly runtime: Differences; readonly creation: Differences }
}

/** A contract as the node serves it. */
interface Served {
  readonly stdJsonInput: object
  readonly compilation: { readonly compilerVersion: string; readonly name: string; readonly fullyQualifiedName: string }
  readonly deployment: { readonly transactionHash: string }
  readonly runtimeBytecode: Transformed
  readonly creationBytecode: Transformed
  readonly abi: unknown
}

interface Transformed {
  readonly transformations: readonly unknown[]
  readonly transformationValues: unknown
}

const limits = { time: 180_000, memory: 2048 }

const compiler = {
  async compile(version: string, input: object): Promise<unknown> {
    const { output } = await runCompiler(
      compilerOf(version.split('+')[0] as CompilerVersion),
      JSON.stringify(input),
      limits,
    )
    return JSON.parse(output)
  },
}

const words: Readonly<Record<string, string>> = { perfect: 'exact_match', partial: 'match' }

/** Asks Sourcify's library about contracts that the node has verified, and compares all that both say. */
export async function judge(checks: Checks, tool: string, chain: SourceChain, all: readonly Deployed[]): Promise<void> {
  const path = join(modules, '@ethereum-sourcify/lib-sourcify/build/main/index.js')
  const library = ((await import(pathToFileURL(path).href)) as { default: LibSourcify }).default
  library.setLibSourcifyLoggerLevel(0)
  const rpcs = [{ rpc: chain.url, traceSupport: 'debug_traceTransaction' }]
  const theirs = new library.SourcifyChain({ name: 'own', chainId, rpcs, supported: true })
  for (const { sample, address, difference } of all) {
    if (difference) continue
    await checks.step(`lib-sourcify says the same of ${sample.name}, sent by ${tool}`, async () => {
      const reply = await fetch(`${chain.sourcesUrl}/v2/contract/${chainId}/${address}?fields=all`)
      const served = (await reply.json()) as Served
      const { compilerVersion, name, fullyQualifiedName } = served.compilation
      const target = { name, path: fullyQualifiedName.slice(0, -name.length - 1) }
      const compilation = new library.SolidityCompilation(compiler, compilerVersion, served.stdJsonInput, target)
      const opinion = new library.Verification(
        compilation,
        theirs,
        getAddress(address),
        served.deployment.transactionHash,
      )
      await opinion.verify()
      const { runtimeMatch, creationMatch } = await verdictOf(chain, address)
      const { runtime, creation } = opinion.transformations
      const own = {
        runtimeMatch,
        creationMatch,
        runtime: servedOf(served.runtimeBytecode),
        creation: servedOf(served.creationBytecode),
      }
      const other = {
        runtimeMatch: words[opinion.status.runtimeMatch ?? ''],
        creationMatch: words[opinion.status.creationMatch ?? ''],
        ...{ runtime, creation },
      }
      if (sorted(own) !== sorted(other)) throw new Error(`ours ${sorted(own)}, theirs ${sorted(other)}`)
    })
  }
}

const servedOf = ({ transformations, transformationValues }: Transformed): Differences => ({
  list: transformations,
  values: transformationValues,
})

/** Members in alphabetical order, differences in the order of their places. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (Array.isArray(one)) return [...one].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
