import { shippedTracers } from '../../src/rpc/tracing/script/shippedTracers.ts'
import type { Interop } from './interop.ts'
import { type Call, compareChainsWithGeth, difference, osaka, type TracedChain } from './tracedChains.ts'
import { failingScripts, type TracerScript, tracerScripts } from './tracerScripts.ts'

const scripts = tracerScripts()
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

const optionsOf = ({ code, config }: TracerScript) => ({
  tracer: code,
  timeout: '2s',
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
    const options = optionsOf(script)
    const have = await reasonOf(ours('debug_traceTransaction', hash, options))
    const want = await reasonOf(theirs('debug_traceTransaction', hash, options))
    if (!script.says.test(have)) return `${script.name}: ${have}; geth: ${want}`
    if (!script.says.test(want)) return `${script.name}: geth says ${want}`
  }
  return undefined
}

async function compareTx(ours: Call, theirs: Call, hash: string, chain: TracedChain): Promise<string | undefined> {
  for (const script of scripts) {
    const options = optionsOf(script)
    const have = await ours('debug_traceTransaction', hash, options)
    const want = await theirs('debug_traceTransaction', hash, options)
    const differs = difference(have, want)
    if (differs !== undefined) return `${script.name}: ${differs}`
  }
  for (const named of chain.geth === osaka ? [...shipped, ...newer] : shipped) {
    const have = await ours('debug_traceTransaction', hash, named)
    const differs = difference(have, await theirs('debug_traceTransaction', hash, named))
    if (differs !== undefined) return `${JSON.stringify(named)}: ${differs}`
  }
  const tried = failuresTried.get(chain) ?? 0
  failuresTried.set(chain, tried + 1)
  return tried < failuresPerChain ? compareFailures(ours, theirs, hash) : undefined
}

export const tracers: Interop = {
  name: 'tracers',
  doc: 'Tracers in JavaScript and by name, on every transaction of several chains, beside two releases of geth.',
  run: (terms) => compareChainsWithGeth(terms, compareTx),
}
