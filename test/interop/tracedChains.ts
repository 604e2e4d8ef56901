import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createClient } from '../../bench/rpc/client.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { serveChain } from '../conformance/rpc/servedChain.ts'
import { startGethChain } from './gethChain.ts'
import type { InteropTerms } from './interop.ts'

/** A chain that both are given, and the release of geth that knows its forks. */
export interface TracedChain {
  readonly name: string
  /** Files; recorded ones lie in the folder of chains. */
  readonly genesis: string
  readonly blocks: string
  readonly geth: string
  /** Blocks above are not looked at. */
  readonly upTo: number
}

export const data = join(packageRoot, '../shared/conformance')
export const cancun = 'v1.13.15'
/** The last release whose packages the Go proxy has. */
export const osaka = 'v1.17.8'

const chains: readonly TracedChain[] = [
  ...[
    { name: '2024-cancun', geth: cancun },
    { name: '2025-prague', geth: osaka },
    { name: '2026-osaka', geth: osaka },
  ].map(({ name, geth }) => ({
    name,
    geth,
    genesis: `execution-apis/${name}/tests/genesis.json`,
    blocks: `execution-apis/${name}/tests/chain.rlp`,
    upTo: 1000,
  })),
  {
    name: 'hive-sync',
    genesis: 'chains/hive-sync/genesis.json',
    blocks: 'chains/hive-sync/chain.rlp',
    geth: cancun,
    upTo: 600,
  },
]

/** The first difference of two JSON values; members that are null or absent are alike. */
export function difference(have: unknown, want: unknown, path = '$'): string | undefined {
  if (have === want || (have ?? null) === (want ?? null)) return undefined
  const bothObjects = typeof have === 'object' && typeof want === 'object' && have !== null && want !== null
  if (!bothObjects) return `${path} is ${JSON.stringify(have)}, geth has ${JSON.stringify(want)}`
  const [ours, theirs] = [have as Record<string, unknown>, want as Record<string, unknown>]
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const found = difference(ours[key], theirs[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Says what geth wants to hear of a network that has no proof of work. */
function genesisForGeth(text: string): string {
  const genesis = JSON.parse(text) as { config: Record<string, unknown> }
  if ('terminalTotalDifficulty' in genesis.config) genesis.config['terminalTotalDifficultyPassed'] = true
  return JSON.stringify(genesis)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)

/** Compares beside a program of others while that runs; one that cannot be had is named, and that is all. */
export async function beside<P extends { stop(): Promise<void> }>(
  { checks }: InteropTerms,
  name: string,
  start: Promise<P>,
  compare: (peer: P) => Promise<void>,
): Promise<void> {
  let peer: P
  try {
    peer = await start
  } catch (error) {
    checks.note(`without ${name}: ${oneLine((error as Error).message)}`)
    return
  }
  try {
    await compare(peer)
  } finally {
    await peer.stop()
  }
}

export type Call = <T>(method: string, ...params: unknown[]) => Promise<T>

/** Compares one transaction of a chain; says what is different. */
export type CompareTx = (ours: Call, theirs: Call, hash: string, chain: TracedChain) => Promise<string | undefined>

async function compareChain(
  { checks }: InteropTerms,
  chain: TracedChain,
  url: string,
  compareTx: CompareTx,
): Promise<void> {
  const served = await serveChain({
    genesis: JSON.parse(readFileSync(resolve(data, chain.genesis), 'utf8')),
    blocks: readFileSync(resolve(data, chain.blocks)),
  })
  try {
    const ours = createClient(served.url).call
    const theirs = createClient(url).call
    const head = Math.min(chain.upTo, Number(await ours<string>('eth_blockNumber')))
    for (let number = 1; number <= head; number++) {
      const block = await ours<{ transactions: readonly string[] }>(
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        false,
      )
      for (const hash of block.transactions)
        await checks.step(`${chain.name} block ${number} ${hash}`, async () => {
          const found = await compareTx(ours, theirs, hash, chain)
          if (found !== undefined) throw new Error(found)
        })
    }
  } finally {
    await served.close()
  }
}

/** Compares each transaction of the recorded chains, and of others, with the release of geth that knows the forks. */
export async function compareChainsWithGeth(
  terms: InteropTerms,
  compareTx: CompareTx,
  others: readonly TracedChain[] = [],
): Promise<void> {
  const wanted = [...chains, ...others].filter(({ genesis }) => existsSync(resolve(data, genesis)))
  for (const [i, chain] of wanted.entries()) {
    const folder = join(terms.folder, chain.name)
    const genesis = join(terms.folder, `${chain.name}.json`)
    writeFileSync(genesis, genesisForGeth(readFileSync(resolve(data, chain.genesis), 'utf8')))
    const start = startGethChain({
      script: join(terms.peersDir, 'geth/geth'),
      version: chain.geth,
      folder,
      genesis,
      blocks: resolve(data, chain.blocks),
      port: terms.basePort + 10 * i,
    })
    await beside(terms, `${chain.name} of geth`, start, (geth) => compareChain(terms, chain, geth.url, compareTx))
  }
}
