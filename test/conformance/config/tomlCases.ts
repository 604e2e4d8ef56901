import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify, type TomlTable, type TomlValue } from 'smol-toml'
import { openCredentials } from '../../../src/auth/credentials.ts'
import { findBesuOption } from '../../../src/config/besuOptions.ts'
import { checkConfig } from '../../../src/config/checkConfig.ts'
import { CliError } from '../../../src/config/fault.ts'
import { type Option, optionNames } from '../../../src/config/option.ts'
import { type Config, options } from '../../../src/config/options.ts'
import { envName, type Resolved, resolveConfig } from '../../../src/config/resolveConfig.ts'
import { unsupported } from '../../../src/config/unsupported.ts'
import { runNode } from '../../../src/node/runNode.ts'
import { systemClock } from '../../../src/system/clock.ts'
import { createCliHarness } from '../../support/cliHarness.ts'
import { createSilentLogs } from '../../support/silentLogs.ts'
import { MissingData } from '../data.ts'
import type { Case } from '../suite.ts'
import { expectSame } from './expect.ts'

/** Configuration files that start, and those that name what a machine has to have: folders, addresses, a genesis file. */
const startable = ['partial_config', 'no_bootnodes', 'complete_config']

/** The only value of Besu's files that is refused: it names a public network. */
const refused = new Map([['network', 'MAINNET is not a private network']])

/** What a machine has to have for a file to start: a folder, a genesis file, addresses and ports that are free. */
const machine = (dir: string): Partial<Config> => ({
  'data-path': join(dir, 'data'),
  'p2p-host': '127.0.0.1',
  'p2p-port': 0,
  'rpc-http-host': '127.0.0.1',
  'rpc-http-port': 0,
  'rpc-ws-host': '127.0.0.1',
  'rpc-ws-port': 0,
  'graphql-http-host': '127.0.0.1',
  'graphql-http-port': 0,
  'explorer-http-port': 0,
  'metrics-host': '127.0.0.1',
  'metrics-port': 0,
})

/** Besu's configuration files as they are, and every key of the one that has all options, by each way to set it. */
export function* tomlCases(folder: string): Iterable<Case> {
  const fileOf = (name: string) => join(folder, `toml/${name}.toml`)
  if (!existsSync(fileOf('everything_config'))) throw new MissingData(`no toml in ${folder}`)
  for (const name of startable)
    yield { name: `toml/${name}.toml starts`, run: () => start(fileOf(name), join(folder, 'genesis-config')) }
  yield {
    name: 'toml/everything_config.toml is refused for its public network only',
    run: () => expectSame('problems', problemsOf(() => checkedFile(fileOf('everything_config'))).length, refused.size),
  }
  yield {
    name: 'toml/auth.toml has one user',
    async run() {
      const users = await openCredentials(fileOf('auth'), 'HTTP').users()
      expectSame('users', [...users.keys()], ['user'])
    },
  }
  const everything = parse(readFileSync(fileOf('everything_config'), 'utf8'), { integersAsBigInt: 'asNeeded' })
  for (const [key, value] of Object.entries(everything))
    yield { name: `toml/everything_config.toml ${key}`, run: () => checkKey(key, value) }
}

function checkedFile(file: string): Resolved {
  const resolved = resolveConfig(new Map([['config-file', file]]), {})
  checkConfig(resolved)
  return resolved
}

/** Starts a node with a file; only what this machine does not have is another. */
async function start(file: string, genesisFolder: string): Promise<void> {
  const cli = createCliHarness()
  try {
    const { config } = checkedFile(file)
    const genesisFile = config['genesis-file'] && join(genesisFolder, 'preMerge.json')
    const more = { ...machine(cli.dir), ...(genesisFile && { 'genesis-file': genesisFile }) }
    const node = await runNode({ ...config, ...more }, createSilentLogs(), systemClock)
    await node.stop()
  } finally {
    cli.remove()
  }
}

/** A key is accepted, warned about or refused with its reason, and the same by flag, by variable and in a file. */
function checkKey(key: string, value: TomlValue): void {
  const cli = createCliHarness()
  try {
    cli.write('one.toml', stringify({ [key]: value } as TomlTable))
    const text = Array.isArray(value) ? value.join(',') : String(value)
    const ways = {
      file: () => resolveConfig(new Map([['config-file', join(cli.dir, 'one.toml')]]), {}),
      flag: () => resolveConfig(new Map([[ownName(key), text]]), {}),
      variable: () => resolveConfig(new Map(), { [envName(key, 'BESU')]: text }),
    }
    for (const [way, resolve] of Object.entries(ways)) checkVerdict(key, text, way, resolve)
  } finally {
    cli.remove()
  }
}

function checkVerdict(key: string, text: string, way: string, resolve: () => Resolved): void {
  const problems = problemsOf(resolve)
  const reason = refused.get(key)
  if (reason !== undefined) {
    if (!problems.some((problem) => problem.includes(reason))) throw new Error(`by ${way}: not refused: ${problems}`)
    return
  }
  expectSame(`problems by ${way}`, problems, [])
  const { given, warnings } = resolve()
  if (!given.has(ownName(key))) throw new Error(`by ${way}: not set`)
  // What is the same as without the option needs no warning.
  const isDefault = unsupported[ownName(key)]?.fallbackText?.toLowerCase() === text.toLowerCase()
  const warned = (findBesuOption(key)?.verdict === 'warned' && !isDefault) || warnsOf(ownName(key), text)
  expectSame(`warnings by ${way}`, warnings.length, warned ? 1 : 0)
}

/** Whether an option that does something warns of this value: of sync-mode, Besu has more. */
function warnsOf(name: string, text: string): boolean {
  const ours: Readonly<Record<string, Option<unknown>>> = options
  return ours[name]?.warning?.(name, text) !== undefined
}

const names = optionNames({ ...options, ...unsupported })

/** The name of an option in the table, of which Besu may have several. */
function ownName(key: string): string {
  const name = names.get(key)
  if (name === undefined) throw new Error('is not known')
  return name
}

function problemsOf(action: () => unknown): string[] {
  try {
    action()
    return []
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return error.at.text.split('\n')
  }
}
