import { shippedTracers } from '../../src/rpc/tracing/script/shippedTracers.ts'
import type { Interop } from './interop.ts'
import { makeProgramChain } from './programChain.ts'
import { type Call, cancun, compareChainsWithGeth, difference, osaka, type TracedChain } from './tracedChains.ts'
import { failingScripts, type TracerScript, tracerScripts } from './tracerScripts.ts'

const scripts = tracerScripts()
/** Chains of random programs, so that more is seen than what people recorded. */
const [programSeed, programBlocks] = [2, 120]
/** Transactions of a chain on which failing tracers are tried. */
const failuresPerChain = 2
const failuresTried = new Map<TracedChain, number>()

interface NamedTracer {
  readonly tracer: string
  readonly tracerConfig?: object
}

/** Those that geth runs as JavaScript under a name. */
const shipped: readonly NamedTracer[] = [...shippedTracers.keys()].map((tracer) => ({ tracer }))
/** Those that only newer releases have, or have in the form that we give. */
const newer: readonly NamedTracer[] = [
  { tracer: 'keccak256PreimageTracer' },
  { tracer: 'erc7562Tracer' },
  { tracer: 'erc7562Tracer', tracerConfig: { ignoredOpcodes: ['0x54', '0x60'] } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { includeEmpty: true } },
  { tracer: 'prestateTracer', tracerConfig: { disableCode: true, disableStorage: true } },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true, disableCode: true } },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true, disableStorage: true } },
]

const optionsOf = ({ code, config }: TracerScript, timeout: string) => ({
  tracer: code,
  timeout,
  ...(config && { tracerConfig: config }),
})

async function reasonOf(answer: Promise<unknown>): Promise<string> {
  try {
    return `answers ${JSON.stringify(await answer)}`
  } catch (error) {
    return (error as Error).message
  }
}

async function compareFailures(ours: Call, theirs: Call, hash: string): Promise<string | undefined> {
  for (const script of failingScripts) {
    const options = optionsOf(script, '2s')
    const have = await reasonOf(ours('debug_traceTransaction', hash, options))
    const want = await reasonOf(theirs('debug_traceTransaction', hash, options))
    if (!script.says.test(have)) return `${script.name}: ${have}; geth: ${want}`
    if (!script.says.test(want)) return `${script.name}: geth says ${want}`
  }
  return undefined
}

/** geth's own tracers look below the end of the stack where an opcode is about to fail by that. */
const crashed = Symbol('crashed')
function unlessCrashed(error: Error): typeof crashed {
  if (/method handler crashed/.test(error.message)) return crashed
  throw error
}

/** Newer releases tell the tip in the place of the price. */
function priceless(result: unknown): unknown {
  return result && typeof result === 'object' && 'gasPrice' in result ? { ...result, gasPrice: undefined } : result
}

async function compareTx(ours: Call, theirs: Call, hash: string, chain: TracedChain): Promise<string | undefined> {
  for (const script of scripts) {
    const options = optionsOf(script, '20s')
    const have = await ours<object>('debug_traceTransaction', hash, options)
    const want = await theirs<object>('debug_traceTransaction', hash, options)
    const differs = chain.geth === osaka ? difference(priceless(have), priceless(want)) : difference(have, want)
    if (differs !== undefined) return `${script.name}: ${differs}`
  }
  for (const named of chain.geth === osaka ? [...shipped, ...newer] : shipped) {
    const have = await ours('debug_traceTransaction', hash, named)
    const want = await theirs('debug_traceTransaction', hash, named).catch(unlessCrashed)
    const differs = want === crashed ? undefined : difference(have, want)
    if (differs !== undefined) return `${JSON.stringify(named)}: ${differs}`
  }
  const tried = failuresTried.get(chain) ?? 0
  failuresTried.set(chain, tried + 1)
  return tried < failuresPerChain ? compareFailures(ours, theirs, hash) : undefined
}

export const tracers: Interop = {
  name: 'tracers',
  doc: 'Tracers in JavaScript and by name, on every transaction of several chains, beside two releases of geth.',
  async run(terms) {
    const made = await makeProgramChain(terms.folder, 'cancun', programSeed, programBlocks)
    const programs = [cancun, osaka].map((geth) => ({ name: `programs-${geth}`, ...made, geth, upTo: programBlocks }))
    await compareChainsWithGeth(terms, compareTx, programs)
  },
}
