import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failed } from '../config/fault.ts'

/** Which other program keeps its data in a folder, and where its key is. */
interface ForeignData {
  readonly program: 'Besu' | 'geth'
  readonly keyFile: string | undefined
}

/** Says which other program's database a folder holds; undefined if none. */
export function findForeignData(path: string): ForeignData | undefined {
  const first = (files: readonly string[]) => files.map((file) => join(path, file)).find((file) => existsSync(file))
  if (existsSync(join(path, 'geth/chaindata')) || existsSync(join(path, 'chaindata/CURRENT')))
    return { program: 'geth', keyFile: first(['geth/nodekey', 'nodekey']) }
  // Besu's metadata alone is no database: people copy it along with the key.
  if (isRocksDb(join(path, 'database'))) return { program: 'Besu', keyFile: first(['key']) }
  return undefined
}

function isRocksDb(folder: string): boolean {
  if (!existsSync(join(folder, 'CURRENT'))) return false
  return readdirSync(folder).some((name) => name.startsWith('MANIFEST-'))
}

/** Throws if a data path holds the database of Besu or geth; shows the commands that bring its chain over. */
export function refuseForeignData(path: string, genesisFile: string | undefined): void {
  const found = findForeignData(path)
  if (!found) return
  const { program, keyFile } = found
  const genesis = genesisFile ?? '<genesis file>'
  const target = `${path.replace(/\/+$/, '')}-quoin`
  const exporting =
    program === 'Besu'
      ? `besu --data-path=${path} --genesis-file=${genesis} blocks export --to=blocks.rlp`
      : `geth --datadir ${path} export blocks.rlp`
  const importing = [
    `quoin --data-path=${target} --genesis-file=${genesis}`,
    ...(keyFile === undefined ? [] : [`--node-private-key-file=${keyFile}`]),
    'blocks import blocks.rlp',
  ]
  throw failed(
    `${path} holds a database of ${program}, which this program does not read and leaves as it is. ` +
      `Stop ${program}, then bring its chain over with two commands:\n` +
      `  ${exporting}\n  ${importing.join(' ')}\n` +
      `and start the node with --data-path=${target}${keyFile === undefined ? '' : ` --node-private-key-file=${keyFile}`}`,
  )
}
