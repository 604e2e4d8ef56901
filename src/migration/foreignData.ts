import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failed } from '../config/fault.ts'
import type { ForeignProgram } from './foreignFolder.ts'

/** Says which other program's database a folder holds; undefined if none. */
export function findForeignData(path: string): ForeignProgram | undefined {
  if (existsSync(join(path, 'geth/chaindata')) || existsSync(join(path, 'chaindata/CURRENT'))) return 'geth'
  // Besu's metadata alone is no database: people copy it along with the key.
  return isRocksDb(join(path, 'database')) ? 'besu' : undefined
}

function isRocksDb(folder: string): boolean {
  if (!existsSync(join(folder, 'CURRENT'))) return false
  return readdirSync(folder).some((name) => name.startsWith('MANIFEST-'))
}

/** Throws if a data path holds the database of Besu or geth; shows the commands that bring its chain over. */
export function refuseForeignData(path: string, genesisFile: string | undefined): void {
  const program = findForeignData(path)
  if (!program) return
  const target = `${path.replace(/\/+$/, '')}-quoin`
  const genesis = genesisFile ?? '<genesis file>'
  const exporting =
    program === 'besu'
      ? `besu --data-path=${path} --genesis-file=${genesis} blocks export --to=blocks.rlp`
      : `geth --datadir ${path} export blocks.rlp`
  const name = programNames[program]
  throw failed(
    `${path} holds a database of ${name}, which this program does not read and leaves as it is. ` +
      `Stop ${name}, then bring its key, static nodes and chain over with two commands:\n  ${exporting}\n` +
      `  quoin --data-path=${target} --genesis-file=${genesis} migrate --from-${program}=${path} --blocks-from=blocks.rlp\n` +
      'The last one prints how to start the node. It copies from a running node too: quoin migrate --help',
  )
}

/** Names of the programs as people write them. */
export const programNames: Readonly<Record<ForeignProgram, string>> = { besu: 'Besu', geth: 'geth' }
