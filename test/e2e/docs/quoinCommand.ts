import { main } from '../../../src/cli/commands.ts'
import { parseArgs } from '../../../src/cli/parseArgs.ts'
import { firstWords } from './shell.ts'

/** A command line of Quoin, as its option table reads it. */
export interface QuoinCommand {
  /** Runs until it is stopped. */
  readonly isServer: boolean
  /** What it occupies: a server that needs the same takes the place of the one before. */
  readonly place: string
}

/** Commands that run until they are stopped, with the option that says which port they occupy, and its default. */
const places: Readonly<Record<string, readonly [option: string, otherwise: string]>> = {
  node: ['rpc-http-port', '8545'],
  network: ['base-port', '8545'],
  signer: ['port', '8550'],
  'key-server': ['port', '8560'],
  'privacy-manager': ['port', '8888'],
}

/** The program's arguments in a command, those of Besu too; undefined if it is another program's. */
function argsOf([program, ...args]: readonly string[]): readonly string[] | undefined {
  if (program === 'quoin' || program === 'bin/quoin' || program === 'besu') return args
  if (program !== 'npm' || args[0] !== 'start') return undefined
  return args[1] === '--' ? args.slice(2) : []
}

/** Reads a command; throws if it has options that there are not. Undefined if it does not start Quoin. */
export function readQuoin(command: string): QuoinCommand | undefined {
  const args = argsOf(firstWords(command))
  if (!args) return undefined
  if (args[0] === 'help') return { isServer: false, place: '' }
  const { path, given, wants } = parseArgs(args, main)
  const name = path.length === 1 ? 'node' : path.at(-1)!.name
  const isServer = wants === 'run' && name in places
  const option = (key: string, otherwise: string) => given.at(-1)!.get(key) ?? otherwise
  const [port, otherwise] = places[name] ?? ['rpc-http-port', '8545']
  return { isServer, place: option(port, otherwise) }
}
