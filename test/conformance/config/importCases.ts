import { join } from 'node:path'
import { loadNetwork } from '../../../src/chainData/network.ts'
import { openChain } from '../../../src/chainData/openChain.ts'
import { cliqueGenesisExtraData } from '../../../src/consensus/clique/extraData.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import type { Block } from '../../../src/types/block.ts'
import { createCliHarness } from '../../support/cliHarness.ts'
import type { Data } from '../data.ts'
import type { Case } from '../suite.ts'
import { expectSame } from './expect.ts'

interface ImportCase {
  readonly file: string
  /** Imported before it. */
  readonly after?: string
  readonly height?: number
  readonly transactionsPerBlock?: readonly number[]
  readonly ethashCoinbases?: readonly string[]
  readonly ethashExtraData?: readonly string[]
  readonly errorStartsWith?: string
  readonly ethash?: { readonly extraData: string; readonly coinbase: string }
  readonly cliqueErrorStartsWith?: string
}

const engines = ['ethash', 'clique'] as const
type Engine = (typeof engines)[number]

const nodeKey = new Uint8Array(32).fill(1)

/** The genesis file. Besu's test imports blocks without looking at their signers; here the node is the one signer. */
function genesisOf(data: Data, engine: Engine): object {
  const genesis = data.json(`besu-config/json-block-import/${engine}/genesis.json`) as object
  if (engine === 'ethash') return genesis
  return { ...genesis, extraData: toHex(cliqueGenesisExtraData([privateKeyToAddress(nodeKey)])) }
}

async function check(data: Data, engine: Engine, one: ImportCase): Promise<void> {
  const cli = createCliHarness()
  try {
    cli.write('genesis.json', JSON.stringify(genesisOf(data, engine)))
    cli.write('key', toHex(nodeKey))
    const places = ['--data-path={dir}/data', '--genesis-file={dir}/genesis.json', '--node-private-key-file={dir}/key']
    const pathOf = (file: string) => join(data.folder, `besu-config/json-block-import/${engine}`, file)
    const files = [...(one.after ? [one.after] : []), one.file].map(pathOf)
    const { code, stderr } = await cli.run([...places, 'blocks', 'import', '--format=JSON', ...files])
    const error = one.errorStartsWith ?? (engine === 'clique' ? one.cliqueErrorStartsWith : undefined)
    if (error !== undefined) {
      if (code === 0 || !stderr.includes(error)) throw new Error(`ended with ${code}: ${stderr}, not with: ${error}`)
      return
    }
    if (code !== 0) throw new Error(stderr)
    checkBlocks(engine, one, await blocksIn(cli.dir))
  } finally {
    cli.remove()
  }
}

async function blocksIn(dir: string): Promise<Block[]> {
  const network = loadNetwork(join(dir, 'genesis.json'), undefined)
  const place = { dataPath: join(dir, 'data'), network, keepRevertReasons: false, checkWork: true }
  const open = await openChain(place)
  try {
    return open.chain.read((view) => {
      const count = Number(view.head.header.number)
      return Array.from({ length: count }, (_, i) => view.blockAt(BigInt(i + 1))!.block)
    })
  } finally {
    await open.close()
  }
}

function checkBlocks(engine: Engine, one: ImportCase, blocks: readonly Block[]): void {
  if (one.height !== undefined) expectSame('height', blocks.length, one.height)
  if (one.transactionsPerBlock)
    expectSame(
      'transactions',
      blocks.map(({ transactions }) => transactions.length),
      one.transactionsPerBlock,
    )
  if (engine !== 'ethash') return
  const headers = blocks.map(({ header }) => ({
    coinbase: toHex(header.beneficiary),
    extraData: toHex(header.extraData),
  }))
  if (one.ethash)
    expectSame('fields', headers.at(-1), { coinbase: one.ethash.coinbase, extraData: one.ethash.extraData })
  const { ethashCoinbases: coinbases, ethashExtraData: extra } = one
  if (coinbases)
    expectSame(
      'coinbases',
      headers.map(({ coinbase }) => coinbase),
      coinbases,
    )
  if (extra)
    expectSame(
      'extra data',
      headers.map(({ extraData }) => extraData),
      extra,
    )
}

/** Besu's JSON files of blocks, on a network of each engine that makes blocks alone. */
export function* importCases(data: Data): Iterable<Case> {
  const list = data.json('besu-config/json-block-import/expected.json') as readonly ImportCase[]
  for (const engine of engines)
    for (const one of list)
      yield { name: `json-block-import/${engine}/${one.file}`, run: () => check(data, engine, one) }
}
