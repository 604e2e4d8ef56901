import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { failed } from '../../config/fault.ts'
import { option, required } from '../../config/option.ts'
import { fileName, path } from '../../config/values.ts'
import { toHex } from '../../primitives/hex.ts'
import { command, commandGroup } from '../command.ts'
import { formatExactJson } from '../exactJson.ts'
import { type BlockchainConfig, planBlockchain } from '../planBlockchain.ts'

const generate = command(
  'generate-blockchain-config',
  'Generate the keys and the genesis file of an IBFT 2.0, QBFT or Clique network.',
  {
    'config-file': option(
      path('FILE'),
      required,
      'command',
      'JSON file with "genesis" (the genesis file without extraData) and "blockchain.nodes" ({generate: true, count} or {keys}).',
    ),
    to: option(path('DIRECTORY'), required, 'command', 'Output directory; it must not exist, or be empty.'),
    'genesis-file-name': option(fileName, 'genesis.json', 'command', 'Name of the genesis file.'),
    'private-key-file-name': option(fileName, 'key.priv', 'command', 'Name of the private key files.'),
    'public-key-file-name': option(fileName, 'key.pub', 'command', 'Name of the public key files.'),
  },
  (values, { io }) => {
    const names: Names = {
      genesis: values['genesis-file-name'],
      privateKey: values['private-key-file-name'],
      publicKey: values['public-key-file-name'],
    }
    if (new Set([...Object.values(names), 'keys']).size < 4) throw failed('Output file paths must be unique.')
    const to = resolve(values.to)
    const exists = isEmptyFolder(to)
    const config = planBlockchain(readConfig(values['config-file']))
    writeFolder(to, exists, config, names)
    io.stdout(`genesis file of the network: ${join(to, names.genesis)}\n`)
    io.stdout(`keys of ${config.nodes.length} nodes, each in a folder named after its address: ${join(to, 'keys')}\n`)
    return 0
  },
)

/** `operator generate-blockchain-config`. */
export const operator = commandGroup('operator', 'Prepare a private network.', [generate])

interface Names {
  readonly genesis: string
  readonly privateKey: string
  readonly publicKey: string
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw failed(`Unable to read config file ${file}: ${(error as Error).message}`, error)
  }
}

/** Returns false if the path does not exist; throws unless it is an empty directory. */
function isEmptyFolder(to: string): boolean {
  let entries: string[]
  try {
    entries = readdirSync(to)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw failed(code === 'ENOTDIR' ? `Output directory is a file: ${to}` : message, error)
  }
  if (entries.length) throw failed('Output directory already exists.')
  return true
}

/** Writes to a temporary directory and renames it, so that a failure leaves nothing behind. */
function writeFolder(to: string, exists: boolean, { genesis, nodes }: BlockchainConfig, names: Names): void {
  const stage = exists ? join(to, `.${process.pid}.tmp`) : `${to}.${process.pid}.tmp`
  try {
    mkdirSync(stage)
    mkdirSync(join(stage, 'keys'))
    for (const node of nodes) {
      const folder = join(stage, 'keys', toHex(node.address))
      mkdirSync(folder)
      writeNew(join(folder, names.publicKey), toHex(node.publicKey), 0o666)
      if (node.privateKey) writeNew(join(folder, names.privateKey), toHex(node.privateKey), 0o600)
    }
    writeNew(join(stage, names.genesis), formatExactJson(genesis), 0o666)
    if (exists) {
      // An empty directory may be a mount point, which cannot be replaced. The genesis file is moved last.
      for (const name of ['keys', names.genesis]) renameSync(join(stage, name), join(to, name))
    } else renameSync(stage, to)
  } catch (error) {
    throw failed(`Unable to write ${to}: ${(error as Error).message}`, error)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function writeNew(file: string, text: string, mode: number): void {
  writeFileSync(file, text, { flag: 'wx', mode })
}
