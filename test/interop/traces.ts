import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startBesuChain } from './besuChain.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { whyMissing } from './peerProgram.ts'
import { makeProgramChain } from './programChain.ts'
import { compareStructLogs, type GethTrace, type QuoinTrace } from './structLogs.ts'
import { beside, type Call, compareChainsWithGeth, data, difference, osaka, type TracedChain } from './tracedChains.ts'
import { type ComparedChain, compareWithBesu } from './tracesBesu.ts'
import { compareWithEvmTool } from './tracesEvm.ts'

/** Chains that Besu is given; the programs are made here. */
const besuChains: readonly ComparedChain[] = [
  { name: 'besu-rpc', genesis: 'besu-rpc/chains/trace/genesis.json', blocks: 'besu-rpc/chains/trace/blocks.bin' },
  { name: 'besu-live', genesis: 'besu-live/genesis.json', blocks: 'besu-live/chain.rlp' },
  {
    name: '2024-cancun',
    genesis: 'execution-apis/2024-cancun/tests/genesis.json',
    blocks: 'execution-apis/2024-cancun/tests/chain.rlp',
  },
].map((chain) => ({ ...chain, upTo: 1000 }))

const programForks = ['london', 'cancun'] as const
const programSeed = 1
/** Behind those of geth. */
const besuPorts = 100

interface Asked {
  readonly name: string
  readonly options: object
}

const tracers: readonly Asked[] = [
  { name: 'callTracer', options: { tracer: 'callTracer', tracerConfig: { withLog: true } } },
  { name: 'prestateTracer', options: { tracer: 'prestateTracer' } },
  { name: 'prestateTracer, diffMode', options: { tracer: 'prestateTracer', tracerConfig: { diffMode: true } } },
  { name: 'flatCallTracer', options: { tracer: 'flatCallTracer' } },
  {
    name: 'flatCallTracer, all',
    options: { tracer: 'flatCallTracer', tracerConfig: { convertParityErrors: true, includePrecompiles: true } },
  },
  {
    name: 'muxTracer',
    options: {
      tracer: 'muxTracer',
      tracerConfig: { callTracer: { withLog: true }, '4byteTracer': null, flatCallTracer: {}, noopTracer: {} },
    },
  },
  { name: '4byteTracer', options: { tracer: '4byteTracer' } },
]

/** Without what newer releases of geth tell besides. */
function withoutNovelties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNovelties)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'codeHash' && name !== 'index')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNovelties(member)]))
}

interface Receipt {
  readonly from: string
  readonly contractAddress: string | null
  readonly blobGasUsed?: string
  readonly blobGasPrice?: string
}

type Accounts = Record<string, { balance?: string; nonce?: number }>

/** Accounts that did not exist, which newer releases show only where they are asked to. */
function dropEmpty(accounts: Accounts): void {
  for (const [address, members] of Object.entries(accounts))
    if (members.balance === '0x0' && Object.keys(members).length === 1) delete accounts[address]
}

/**
 * Takes two faults of geth 1.13 out of its prestate: a contract that the transaction itself creates has a nonce already,
 * and what blobs cost is missing from the balance of their sender.
 */
function mend(pre: Accounts, post: Accounts | undefined, receipt: Receipt): void {
  const { from, contractAddress, blobGasUsed, blobGasPrice } = receipt
  const created = contractAddress ? pre[contractAddress] : undefined
  if (contractAddress && created?.nonce === 1) {
    delete created.nonce
  }
  if (contractAddress && post) post[contractAddress] = { nonce: 1, ...post[contractAddress] }
  const sender = pre[from]
  if (sender?.balance !== undefined && blobGasUsed && blobGasPrice)
    sender.balance = `0x${(BigInt(sender.balance) + BigInt(blobGasUsed) * BigInt(blobGasPrice)).toString(16)}`
}

function mendPrestate(value: unknown, receipt: Receipt): void {
  const { pre, post } = value as { pre?: Accounts; post?: Accounts }
  mend(pre ?? (value as Accounts), post, receipt)
  dropEmpty(pre ?? (value as Accounts))
}

async function compareTx(ours: Call, theirs: Call, hash: string, chain: TracedChain): Promise<string | undefined> {
  const have = await ours<QuoinTrace>('debug_traceTransaction', hash)
  const want = await theirs<GethTrace>('debug_traceTransaction', hash, { enableMemory: true, disableStorage: true })
  const found = compareStructLogs(have, want)
  if (found !== undefined) return `struct logs: ${found}`
  const receipt = await ours<Receipt>('eth_getTransactionReceipt', hash)
  for (const { name, options } of tracers) {
    const [a, b] = [
      await ours('debug_traceTransaction', hash, options),
      await theirs('debug_traceTransaction', hash, options),
    ]
    if (name.startsWith('prestate') && chain.geth !== osaka) mendPrestate(b, receipt)
    const differs = difference(withoutNovelties(a), withoutNovelties(b))
    if (differs !== undefined) return `${name}: ${differs}`
  }
  return undefined
}

async function compareWithBesuChains(terms: InteropTerms): Promise<void> {
  const { checks, folder, peersDir, basePort } = terms
  const missing = whyMissing('besu', peersDir)
  if (missing) return checks.note(`without Besu: ${missing}`)
  const recorded = besuChains.map((chain) => ({
    ...chain,
    genesis: join(data, chain.genesis),
    blocks: join(data, chain.blocks),
  }))
  const made: ComparedChain[] = []
  for (const fork of programForks)
    made.push({ name: `programs-${fork}`, ...(await makeProgramChain(folder, fork, programSeed)), upTo: 1000 })
  const wanted = [...recorded.filter(({ genesis }) => existsSync(genesis)), ...made]
  for (const [i, chain] of wanted.entries()) {
    const { name, genesis, blocks } = chain
    const port = basePort + besuPorts + 10 * i
    const start = startBesuChain({ peersDir, folder: join(folder, `besu-${name}`), genesis, blocks, port })
    await beside(terms, `${name} of Besu`, start, (besu) => compareWithBesu(terms, chain, besu))
  }
}

async function run(terms: InteropTerms): Promise<void> {
  if (!existsSync(data)) terms.checks.note(`there are no chains in ${data}`)
  await compareChainsWithGeth(terms, compareTx)
  await compareWithEvmTool(terms, data)
  await compareWithBesuChains(terms)
}

export const traces: Interop = {
  name: 'traces',
  doc: 'Traces of every transaction of several chains: struct logs and tracers beside geth, DEBUG and TRACE beside Besu.',
  run,
}
