import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../../src/chain/chain.ts'
import { createChain } from '../../../src/chain/createChain.ts'
import { verifySeal } from '../../../src/consensus/ethash/verifySeal.ts'
import { createMainnetEngine } from '../../../src/consensus/mainnet/mainnetEngine.ts'
import { faultReasonOf } from '../../../src/evmtool/exceptions.ts'
import { errorOf, expectBytes, expectEqual } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { rlpItemEnd } from '../../../src/primitives/rlp.ts'
import { createStateStore } from '../../../src/state/stateStore.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { type Block, decodeBlock } from '../../../src/types/block.ts'
import type { Data } from '../data.ts'
import { engineOf } from '../engines.ts'
import type { Case, Suite, SuiteOptions } from '../suite.ts'

interface ChainFile {
  readonly file: string
  readonly genesis: string
  readonly genesisHash: string
  readonly head: { readonly number: number; readonly hash: string; readonly stateRoot: string }
}

const folder = 'chains'
const batchSize = 500

/** Files whose headers carry real work; in the others the seal is a placeholder. */
const withRealWork = /^besu-mainnet-1000\//

/** Files that must not import to their head, on which genesis, and why. */
const refusals = [
  {
    file: 'besu-mainnet-1000/badpow.blocks',
    genesis: 'besu-mainnet-1000/mainnet.json',
    reason: 'PROOF_OF_WORK_INVALID',
  },
  {
    file: 'besu-forks/fork-outdated.blocks',
    genesis: 'besu-forks/genesis-upgraded.json',
    reason: 'GAS_USED_MISMATCH',
  },
] as const

function blocksOf(bytes: Uint8Array): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = rlpItemEnd(bytes, at)
    blocks.push(decodeBlock(bytes.subarray(at, end)))
    at = end
  }
  return blocks
}

/** Lets `use` work with a real chain on disk, which is gone afterwards. */
async function withChain(
  data: Data,
  { file, genesis }: { file: string; genesis: string },
  { engine }: SuiteOptions,
  use: (chain: Chain) => void,
): Promise<void> {
  const spec = createChainSpec(toGenesisFile(data.json(`${folder}/${genesis}`)))
  const path = mkdtempSync(join(tmpdir(), 'quoin-chains-'))
  const store = openStore(join(path, 'database'))
  try {
    const consensus = createMainnetEngine({ spec, ...(withRealWork.test(file) && { checkWork: verifySeal }) })
    use(createChain({ spec, store, states: createStateStore(store), consensus, evm: engineOf(engine) }))
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}

function importFile(chain: Chain, data: Data, file: string): void {
  const blocks = blocksOf(data.bytes(`${folder}/${file}`))
  for (let at = 0; at < blocks.length; at += batchSize) chain.importBlocks(blocks.slice(at, at + batchSize))
}

function checkImport(data: Data, item: ChainFile, options: SuiteOptions): Promise<void> {
  return withChain(data, item, options, (chain) => {
    expectBytes('genesis hash', chain.genesis.hash, toBytes(item.genesisHash))
    importFile(chain, data, item.file)
    const { header, hash } = chain.head()
    expectEqual('head number', header.number, BigInt(item.head.number))
    expectBytes('head', hash, toBytes(item.head.hash))
    expectBytes('state root', header.stateRoot, toBytes(item.head.stateRoot))
  })
}

function checkRefusal(data: Data, item: (typeof refusals)[number], options: SuiteOptions): Promise<void> {
  return withChain(data, item, options, (chain) => {
    const error = errorOf(() => importFile(chain, data, item.file))
    expectEqual('reason', error && faultReasonOf(error), item.reason)
  })
}

export const chains: Suite = {
  name: 'chains',
  doc: 'Chain files of Besu and hive, imported into a database to the given head.',
  *cases(data, options): Generator<Case> {
    const files = data.json(`${folder}/index.json`) as readonly ChainFile[]
    const refused = new Set(refusals.map(({ file, genesis }) => `${file} ${genesis}`))
    const imports = files
      .filter(({ file, genesis }) => !refused.has(`${file} ${genesis}`))
      .map((item): Case => ({ name: item.file, run: () => checkImport(data, item, options) }))
    const others = refusals.map(
      (item): Case => ({ name: `${item.file} on ${item.genesis}`, run: () => checkRefusal(data, item, options) }),
    )
    yield* data.share([...imports, ...others])
  },
}
