import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../primitives/packageRoot.ts'
import { besuNames, findBesuOption } from './besuOptions.ts'
import { checkConfig } from './checkConfig.ts'
import { CliError } from './fault.ts'
import { resolveConfig } from './resolveConfig.ts'
import { unsupported } from './unsupported.ts'

// What other projects and people wrote lies beside the repository, where it is there at all.
const shared = join(packageRoot, '..', 'shared')
const reference = join(shared, 'reference/cli.md')
const toml = (name: string) => join(shared, 'conformance/besu-config/toml', `${name}.toml`)

test('every option of Besu is honoured, accepted with a warning or refused', () => {
  expect(besuNames.filter((name) => findBesuOption(name) === undefined)).toEqual([])
  expect(besuNames.length).toBeGreaterThan(250)
})

test('what is accepted with a warning starts, whatever its value, and says what is done instead', () => {
  const warned = Object.entries(unsupported).filter(([, { verdict }]) => verdict === 'warned')
  expect(warned.length).toBeGreaterThan(90)
  const values: Record<string, string> = { BOOLEAN: 'true' }
  for (const [name, { codec, doc, fallbackText }] of warned) {
    const value = values[codec.label] ?? codec.label.split('|')[0]!
    const { warnings } = resolveConfig(new Map([[name, value]]), {})
    const line = `Option '--${name}' has no effect: ${doc}`
    expect([name, ...warnings]).toEqual(value === fallbackText ? [name] : [name, line])
  }
})

test.each([
  ['sync-mode', 'fast', ["Option '--sync-mode' has no effect: sync downloads and executes every block"]],
  ['sync-mode', 'full', []],
  ['rpc-http-api', 'ETH,PLUGINS,ENGINE', ["Option '--rpc-http-api': PLUGINS and ENGINE has no methods here"]],
  ['rpc-ws-api', 'ETH', []],
])('--%s=%s', (name, value, warnings) => {
  expect(resolveConfig(new Map([[name, value]]), {}).warnings).toEqual(warnings)
})

test.each([
  ['override-genesis-config', 'chainId=1', /set the values in the genesis file/],
  ['security-module', 'hsm', /expected one of \[localfile\]/],
  ['Xp2p-tls-enabled', 'true', /supports only false: peers always speak RLPx/],
  ['Xpki-block-creation-enabled', 'true', /supports only false/],
  ['compatibility-eth64-forkid-enabled', 'true', /supports only false/],
])('--%s=%s is refused with the reason', (name, value, message) => {
  expect(() => resolveConfig(new Map([[name, value]]), {})).toThrow(message)
})

test("variables of Besu's first versions count too, after those of Besu", () => {
  const env = { PANTHEON_P2P_PORT: '1', PANTHEON_RPC_HTTP_PORT: '2', BESU_RPC_HTTP_PORT: '3' }
  expect(resolveConfig(new Map(), env).config).toMatchObject({ 'p2p-port': 1, 'rpc-http-port': 3 })
})

test('required blocks', () => {
  const choose = (text: string) => resolveConfig(new Map([['required-blocks', text]]), {}).config['required-blocks']
  const [first, second] = choose(`7=0x${'ab'.repeat(32)},8=1`)
  expect([first?.number, first?.hash[0], second?.number, second?.hash[31]]).toEqual([7n, 0xab, 8n, 1])
  expect(() => choose('7')).toThrow("'7' is not a block number, = and its hash")
})

describe.skipIf(!existsSync(reference))('what is known of Besu', () => {
  test('the reference names no option that is not in the table', () => {
    const text = readFileSync(reference, 'utf8')
    const main = text.slice(text.indexOf('## 2. Options'), text.indexOf('## 3. Subcommands'))
    const names = [...main.matchAll(/--([A-Za-z][A-Za-z0-9-]*[a-z0-9])(?![a-z0-9-]*\*)/g)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(120)
    // `-*` and `-max` stand for endings of the name before.
    const unknown = [...new Set(names)].filter((name) => findBesuOption(name) === undefined && !isStem(name))
    expect(unknown).toEqual([])
  })

  // Besu itself refuses the last of them: two networks, and limits of two pools.
  test.each([
    ['partial_config', []],
    ['no_bootnodes', []],
    ['complete_config', []],
    ['everything_config', ['MAINNET is not a private network']],
  ])('%s', (name, problems) => {
    expect(problemsOf(name)).toEqual(problems.map((text) => expect.stringContaining(text)))
  })

  test('an option of a file that tunes what Quoin does not have is told', () => {
    const { warnings } = resolveConfig(new Map([['config-file', toml('complete_config')]]), {})
    expect(warnings).toEqual([
      "Option '--sync-mode' has no effect: sync downloads and executes every block",
      "Option '--sync-min-peers' has no effect: sync starts with the first peer",
    ])
  })
})

/** Whether names of options begin with a word that the reference ends with a dash or a star. */
function isStem(name: string): boolean {
  return besuNames.some((known) => known.startsWith(`${name}-`))
}

/** What a configuration file is refused for. */
function problemsOf(name: string): string[] {
  try {
    checkConfig(resolveConfig(new Map([['config-file', toml(name)]]), {}))
    return []
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return error.at.text.split('\n')
  }
}
