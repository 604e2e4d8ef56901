import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../primitives/packageRoot.ts'
import { besuNames } from './besuNames.ts'
import { findBesuOption } from './besuOptions.ts'
import { checkConfig } from './checkConfig.ts'
import { CliError } from './fault.ts'
import { resolveConfig } from './resolveConfig.ts'
import { unsupported } from './unsupported.ts'

// What other projects and people wrote lies beside the repository, where it is there at all.
const shared = join(packageRoot, '..', 'shared')
const reference = join(shared, 'reference/cli.md')
const toml = (name: string) => join(shared, 'conformance/besu-config/toml', `${name}.toml`)

const fixture = (name: string) => JSON.parse(readFileSync(join(packageRoot, 'test/fixtures', name), 'utf8')) as object
/** Names in the source of Besu 23.4 to 26.8 and in charts for Kubernetes, and what becomes of each of them. */
const verdicts = fixture('besuOptions.json')

test('every option of Besu is honoured, accepted with a warning or refused', () => {
  expect(Object.fromEntries(besuNames.map(({ name }) => [name, findBesuOption(name)?.verdict]))).toEqual(verdicts)
  expect(besuNames.length).toBeGreaterThan(400)
})

test('the options of Besu 26.8.0 are those that it reads itself', () => {
  expect(besuNames.filter(({ until }) => until === undefined).map(({ name }) => name)).toEqual(
    fixture('besu26Options.json'),
  )
})

describe('a profile of Besu', () => {
  const choose = (profile: string, more: Record<string, string> = {}) =>
    resolveConfig(new Map(Object.entries({ profile, ...more })), {})

  test.each(['ENTERPRISE', 'private'])('%s sets what nothing else sets', (name) => {
    const { config, warnings, given } = choose(name, { 'min-gas-price': '7' })
    expect(config).toMatchObject({
      'remote-connections-limit-enabled': false,
      'tx-pool': 'sequenced',
      'tx-pool-no-local-priority': true,
      'tx-pool-limit-by-account-percentage': 0.15,
      'rpc-http-max-active-connections': 300,
      'min-gas-price': 7n,
    })
    expect([warnings, [...given]]).toEqual([[], ['profile', 'min-gas-price']])
  })

  test('a limit of the other pool beside a profile is no contradiction with the profile', () => {
    const chosen = choose('enterprise', { 'tx-pool': 'layered' })
    expect(() => checkConfig(chosen)).not.toThrow()
    expect(chosen.config['tx-pool']).toBe('layered')
  })

  test.each([
    ['dev', []],
    ['minimalist-staker', []],
    [
      'PERFORMANCE_RPC',
      [
        "Option '--profile=PERFORMANCE_RPC' has no effect: the database needs no settings, and caches set their size themselves",
      ],
    ],
  ])('%s', (name, warnings) => {
    expect(choose(name).warnings).toEqual(warnings)
  })

  test.each([
    ['staker', /STAKER is a profile of MAINNET/],
    ['mine', /expected one of \[DEV, ENTERPRISE, .*\] .*but was 'mine'/],
  ])('%s is refused', (name, message) => {
    expect(() => choose(name)).toThrow(message)
  })
})

test('what a chart leaves empty is as if it were not set', () => {
  const names = ['nodes-config-file', 'accounts-config-file', 'nodes-contract-address', 'accounts-contract-address']
  const { config, warnings } = resolveConfig(new Map(names.map((name) => [`permissions-${name}`, ''])), {})
  for (const name of names) {
    expect(config[`permissions-${name}` as keyof typeof config]).toBeUndefined()
    expect(warnings).toContain(`Option '--permissions-${name}' is empty, as if it were not set`)
  }
  expect(() => resolveConfig(new Map([['data-path', '']]), {})).toThrow('must not be empty')
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
  [
    'sync-mode',
    'fast',
    [
      "Option '--sync-mode' is FULL here: every block is downloaded and executed; SNAP takes over the state of a recent block",
    ],
  ],
  ['sync-mode', 'full', []],
  ['sync-mode', 'X_SNAP', []],
  ['rpc-http-api', 'ETH,PLUGINS,ENGINE', ["Option '--rpc-http-api': PLUGINS and ENGINE have no methods here"]],
  ['rpc-ws-api', 'ETH', []],
  ['rpc-ws-api', 'ETH,ENGINE', ["Option '--rpc-ws-api': ENGINE has no methods here"]],
  ['metrics-category', 'jvm,PROCESS', []],
  [
    'metrics-category',
    'JVM,KVSTORE_ROCKSDB,kvstore_rocksdb_stats',
    ["Option '--metrics-category': KVSTORE_ROCKSDB and KVSTORE_ROCKSDB_STATS have no metrics here"],
  ],
])('--%s=%s', (name, value, warnings) => {
  expect(resolveConfig(new Map([[name, value]]), {}).warnings).toEqual(warnings)
})

test.each([
  ['override-genesis-config', 'chainId=1', /set the values in the genesis file/],
  ['metrics-category', 'FOO', /invalid entries found \[FOO\], expected some of \[.*JVM.*KVSTORE_ROCKSDB.*\]/],
  ['net-restrict', '10.0.0.0/8', /nodes of other subnets would connect/],
  ['plugins', 'MyPlugin', /Java plugins are not supported/],
  ['security-module', 'vault', /expected one of \[localfile, key-server, pkcs11\]/],
  ['plugin-hsm-provider-type', 'cloudhsm-jce', /AWS CloudHSM gives no secrets/],
  ['plugin-hsm-ec-curve', 'secp256r1', /supports only secp256k1: networks with another curve/],
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
      "Option '--sync-mode' is FULL here: every block is downloaded and executed; SNAP takes over the state of a recent block",
      "Option '--sync-min-peers' has no effect: sync starts with the first peer",
    ])
  })
})

/** Whether names of options begin with a word that the reference ends with a dash or a star. */
function isStem(name: string): boolean {
  return besuNames.some(({ name: known }) => known.startsWith(`${name}-`))
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
