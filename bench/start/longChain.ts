import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { cliqueGenesis, writeEmptyBlocks } from '../sync/cliqueChain.ts'

/** A chain of many empty blocks. */
export interface LongChain {
  readonly genesis: string
  /** Data directory of Quoin with the chain in it. */
  readonly quoin: string
  /** The same of geth; made on first use. */
  geth(program: string): string
}

/** The chain, made on first use and kept with the system's temporary files. */
export async function prepareLongChain(blocks: number): Promise<LongChain> {
  const folder = join(tmpdir(), 'quoin-bench', `long-${blocks}-${versionOfMaker()}`)
  if (!existsSync(folder)) {
    process.stderr.write(`Making a chain of ${blocks} empty blocks in ${folder} …\n`)
    const fresh = `${folder}-making`
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { recursive: true })
    const [genesis, file] = [join(fresh, 'genesis.json'), join(fresh, 'chain.rlp')]
    writeFileSync(genesis, cliqueGenesis())
    await writeEmptyBlocks(genesis, file, blocks)
    run(process.execPath, [join(packageRoot, 'dist/bench/importQuoin.js'), genesis, file, join(fresh, 'quoin')])
    renameSync(fresh, folder)
  }
  const genesis = join(folder, 'genesis.json')
  return {
    genesis,
    quoin: join(folder, 'quoin'),
    geth(program) {
      const data = join(folder, 'geth')
      if (existsSync(data)) return data
      const fresh = `${data}-making`
      rmSync(fresh, { recursive: true, force: true })
      run(program, ['--datadir', fresh, 'init', genesis])
      run(program, ['--datadir', fresh, 'import', join(folder, 'chain.rlp')])
      renameSync(fresh, data)
      return data
    },
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.slice(-500)}`)
}

/** Changes when what makes the chain does. */
function versionOfMaker(): string {
  return toHex(keccak256(readFileSync(join(packageRoot, 'bench/sync/cliqueChain.ts')))).slice(2, 10)
}
