import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { emptyFolder } from '../emptyFolder.ts'
import type { MadeChain } from './produceChain.ts'
import { makeTransferChain } from './transferChain.ts'

/** A chain on disk, of which each client gets a data directory to serve from. */
export interface PreparedChain extends MadeChain {
  readonly folder: string
  readonly genesis: string
  readonly blocks: number
}

/** The chain, made on first use and kept with the system's temporary files. */
export async function prepareChain(blocks: number): Promise<PreparedChain> {
  const cache = join(tmpdir(), 'quoin-bench')
  const folder = join(cache, `sync-${blocks}-${versionOfMaker()}`)
  if (!existsSync(folder)) {
    process.stderr.write(`Making a chain of ${blocks} blocks in ${folder} …\n`)
    const fresh = emptyFolder(`${folder}-making`)
    const made = await makeTransferChain(fresh, blocks)
    writeFileSync(join(fresh, 'about.json'), JSON.stringify(made))
    renameSync(fresh, folder)
  }
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as MadeChain
  return { ...about, folder, genesis: join(folder, 'genesis.json'), blocks }
}

/** A data directory of geth with the chain in it, made on first use. */
export function prepareGeth({ folder, genesis }: PreparedChain, geth: string): string {
  const data = join(folder, 'geth')
  if (existsSync(data)) return data
  const fresh = emptyFolder(`${data}-making`)
  for (const args of [
    ['init', genesis],
    ['import', join(folder, 'chain.rlp')],
  ]) {
    const { status, error, stderr } = spawnSync(geth, ['--datadir', fresh, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`geth cannot ${args[0]}: ${error?.message ?? stderr.slice(-500)}`)
  }
  renameSync(fresh, data)
  return data
}

/** Changes when what makes the chain does. */
function versionOfMaker(): string {
  const sources = [
    'sync/cliqueChain.ts',
    'sync/produceChain.ts',
    'sync/signedTurns.ts',
    'sync/transferChain.ts',
    'rpc/token.ts',
  ].map((path) => readFileSync(join(packageRoot, 'bench', path)))
  return toHex(keccak256(Buffer.concat(sources))).slice(2, 10)
}
