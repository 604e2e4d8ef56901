import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { cliqueGenesis, makeCliqueChain, writeEmptyBlocks } from '../sync/cliqueChain.ts'
import { signTurn, type TransferTo } from '../sync/signedTurns.ts'

/** Sizes of the chains. */
export interface DiskPlan {
  readonly emptyBlocks: number
  /** Blocks with transfers. */
  readonly blocks: number
  readonly transfersPerBlock: number
}

/** Files of RLP blocks on one genesis file. */
export interface DiskChains {
  readonly genesis: string
  /** A single block, for what a client needs at any rate. */
  readonly one: string
  readonly empty: string
  readonly transfers: string
}

const etherTo: TransferTo = (to) => ({ gasLimit: 21_000n, to, value: 1_000_000_000n, data: emptyBytes })

/** The chains, made on first use and kept with the system's temporary files. */
export async function prepareDiskChains({ emptyBlocks, blocks, transfersPerBlock }: DiskPlan): Promise<DiskChains> {
  const name = `disk-${emptyBlocks}-${blocks}-${transfersPerBlock}-${versionOfMaker()}`
  const folder = join(tmpdir(), 'quoin-bench', name)
  const filesIn = (place: string): DiskChains => ({
    genesis: join(place, 'genesis.json'),
    one: join(place, 'one.rlp'),
    empty: join(place, 'empty.rlp'),
    transfers: join(place, 'transfers.rlp'),
  })
  if (existsSync(folder)) return filesIn(folder)
  process.stderr.write(`Making chains in ${folder} …\n`)
  const fresh = `${folder}-making`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(join(fresh, 'data'), { recursive: true })
  const files = filesIn(fresh)
  writeFileSync(files.genesis, cliqueGenesis())
  await writeEmptyBlocks(files.genesis, files.one, 1)
  await writeEmptyBlocks(files.genesis, files.empty, emptyBlocks)
  let next = 0
  const transfersOf = () => Array.from({ length: transfersPerBlock }, () => signTurn(next++, etherTo))
  await makeCliqueChain(files.genesis, join(fresh, 'data'), files.transfers, blocks, transfersOf)
  rmSync(join(fresh, 'data'), { recursive: true })
  renameSync(fresh, folder)
  return filesIn(folder)
}

/** Changes when what makes the chains does. */
function versionOfMaker(): string {
  const sources = ['disk/diskChains.ts', 'sync/cliqueChain.ts', 'sync/signedTurns.ts'].map((path) =>
    readFileSync(join(packageRoot, 'bench', path)),
  )
  return toHex(keccak256(Buffer.concat(sources))).slice(2, 10)
}
