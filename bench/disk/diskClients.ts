import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** A client in one of its ways to store a chain. */
export interface DiskClient {
  readonly name: string
  /** Imports a file of blocks into a new data directory, and ends. */
  fill(genesis: string, blocks: string, data: string): Promise<void>
}

async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const failed = new Promise<never>((_, reject) => child.on('error', reject))
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const [out, errors] = await Promise.race([ended, failed])
  if (child.exitCode !== 0) throw new Error(`${program} ${args.join(' ')}: ${`${out}${errors}`.slice(-500)}`)
}

const importer = fileURLToPath(new URL('../importQuoin.js', import.meta.url))
const boundedImporter = fileURLToPath(new URL('./importBounded.js', import.meta.url))

function geth(name: string, program: string, options: readonly string[]): DiskClient {
  return {
    name,
    async fill(genesis, blocks, data) {
      const common = ['--datadir', data, ...options]
      await runProgram(program, [...common, 'init', genesis])
      await runProgram(program, [...common, 'import', blocks])
    },
  }
}

function besu(name: string, program: string, format: string): DiskClient {
  return {
    name,
    fill(genesis, blocks, data) {
      const common = [`--genesis-file=${genesis}`, `--data-path=${data}`, `--data-storage-format=${format}`]
      return runProgram(program, [...common, 'blocks', 'import', `--from=${blocks}`, '--skip-pow-validation-enabled'])
    },
  }
}

export function diskClients(peersDir: string, historyBlocks: number): readonly DiskClient[] {
  const [gethProgram, besuProgram] = [join(peersDir, 'geth/geth'), join(peersDir, 'besu/besu')]
  return [
    {
      name: 'Quoin, all states',
      fill: (...files) => runProgram(process.execPath, [importer, ...files]),
    },
    {
      name: `Quoin --history-blocks=${historyBlocks}`,
      fill: (...files) => runProgram(process.execPath, [boundedImporter, ...files, String(historyBlocks)]),
    },
    geth('geth 1.13.15 --gcmode=archive', gethProgram, ['--gcmode=archive', '--state.scheme=hash']),
    geth('geth 1.13.15, full', gethProgram, []),
    besu('Besu 24.1.2, Forest', besuProgram, 'FOREST'),
    besu('Besu 24.1.2, Bonsai', besuProgram, 'BONSAI'),
  ]
}
