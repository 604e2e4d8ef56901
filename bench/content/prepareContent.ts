import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDevChain } from '../../src/chainData/devChain.ts'
import { loadNetwork } from '../../src/chainData/network.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { emptyFolder } from '../emptyFolder.ts'
import { type MadeChain, produceChain } from '../sync/produceChain.ts'
import { contentBlocks, type SignedTx } from './contentBlocks.ts'
import { type ContentKind, contentMakers, devSetup } from './contentMakers.ts'
import { writeGenesis } from './writeGenesis.ts'

/** How much there is to ask for. */
export interface ContentSize {
  /** Accounts with wei and tokens. */
  readonly accounts: number
  /** Blocks with many transactions. */
  readonly fullBlocks: number
}

/** A chain on disk, of which each server gets a copy. */
export interface PreparedContent extends MadeChain {
  readonly folder: string
  /** Genesis file; the development network has none. */
  readonly genesis: string
  /** All blocks but the first, as RLP. */
  readonly chain: string
  /** Data directory of Quoin. */
  readonly data: string
  /** A data directory of another client, made on first use. */
  once(client: string, make: (folder: string) => void): string
}

/** The chain of a kind of network, made on first use and kept with the system's temporary files. */
export async function prepareContent(kind: ContentKind, size: ContentSize): Promise<PreparedContent> {
  const { accounts, fullBlocks } = size
  const folder = join(tmpdir(), 'quoin-bench', `rpc-${kind}-${accounts}-${fullBlocks}-${versionOfMaker()}`)
  if (!existsSync(folder)) {
    process.stderr.write(`Making a chain of ${accounts} accounts in ${folder} …\n`)
    const fresh = emptyFolder(`${folder}-making`)
    await makeContent(kind, size, fresh)
    renameSync(fresh, folder)
  }
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as MadeChain
  return {
    ...about,
    folder,
    ...filesIn(folder),
    once(client, make) {
      const data = join(folder, client)
      if (existsSync(data)) return data
      const fresh = emptyFolder(`${data}-making`)
      make(fresh)
      renameSync(fresh, data)
      return data
    },
  }
}

const filesIn = (folder: string) => ({
  genesis: join(folder, 'genesis.json'),
  chain: join(folder, 'chain.rlp'),
  data: join(folder, 'quoin'),
})

async function makeContent(kind: ContentKind, { accounts, fullBlocks }: ContentSize, folder: string): Promise<void> {
  const { genesis, chain, data } = filesIn(folder)
  mkdirSync(data)
  if (kind !== 'dev') writeGenesis(genesis, kind, accounts)
  const network =
    kind === 'dev'
      ? loadNetwork(undefined, undefined, createDevChain({ fork: 'london' }))
      : loadNetwork(genesis, undefined)
  const asked = await contentBlocks(fullBlocks)
  const blocks = (function* (): Generator<readonly SignedTx[]> {
    if (kind === 'dev') yield* devSetup(accounts)
    yield* asked
  })()
  const made = await produceChain(network, data, chain, contentMakers[kind], blocks)
  writeFileSync(join(folder, 'about.json'), JSON.stringify(made))
}

const sources = [
  'content/contentBlocks.ts',
  'content/contentMakers.ts',
  'content/manyAccounts.ts',
  'content/writeGenesis.ts',
  'rpc/token.ts',
  'sync/cliqueChain.ts',
  'sync/produceChain.ts',
]

/** Changes when what makes the chain does. */
function versionOfMaker(): string {
  const texts = sources.map((path) => readFileSync(join(packageRoot, 'bench', path)))
  return toHex(keccak256(Buffer.concat(texts))).slice(2, 10)
}
