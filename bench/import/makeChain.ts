import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { buildGoPeer } from '../peers/buildGoPeer.ts'
import type { ChainFiles } from './importer.ts'

const contracts = join(packageRoot, 'bench/workloads/contracts.json')

/** A chain of full blocks, made by go-ethereum on first use and kept with the system's temporary files. */
export function makeChain(blocks: number, gas: number): ChainFiles {
  const cache = join(tmpdir(), 'quoin-bench')
  const folder = join(cache, `chain-${blocks}-${gas}-${versionOfMaker()}`)
  if (!existsSync(folder)) {
    process.stderr.write(`Making a chain of ${blocks} blocks in ${folder} …\n`)
    mkdirSync(cache, { recursive: true })
    const fresh = mkdtempSync(join(cache, 'making-'))
    try {
      generate(fresh, blocks, gas)
      renameSync(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8'))
  return { ...about, genesis: join(folder, 'genesis.json'), blocks: join(folder, 'chain.rlp') }
}

function generate(folder: string, blocks: number, gas: number): void {
  const maker = buildGoPeer('import-geth')
  const { status, stdout } = spawnSync(maker, [contracts, folder, String(blocks), String(gas)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error('the chain could not be made')
  writeFileSync(join(folder, 'about.json'), stdout)
}

/** Changes when the program or its contracts do. */
function versionOfMaker(): string {
  const program = readFileSync(join(packageRoot, 'bench/peers/import-geth/main.go'))
  return toHex(keccak256(Buffer.concat([program, readFileSync(contracts)]))).slice(2, 10)
}
