import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const args = ['validate-config', '--config-file={dir}/c.toml']

test('a good file', async () => {
  cli.write('c.toml', 'rpc-http-port=1\nrpc-http-api=["ETH"]\n')
  const { code, stdout, started } = await cli.run(args)
  expect([code, started]).toEqual([0, undefined])
  expect(stdout).toMatch(/^TOML config file is valid on basic inspection\. .+\n$/)
})

test.each([
  ['unknown key', 'foo=1\n', 'Unknown option in TOML configuration file: foo\n'],
  ['wrong value', 'rpc-http-port="x"\n', "Invalid value for option '--rpc-http-port': 'x' is not an int\n"],
])('%s', async (_, toml, verdict) => {
  cli.write('c.toml', toml)
  const { code, stdout, stderr } = await cli.run(args)
  expect([code, stdout, stderr]).toEqual([1, verdict, ''])
})

test('an option without effect is told, and the file is valid', async () => {
  cli.write('c.toml', 'sync-min-peers=5\nkey-value-storage="rocksdb"\n')
  const { code, stdout } = await cli.run(args)
  expect([code, ...stdout.split('\n').slice(0, 2)]).toEqual([
    0,
    "Option '--sync-min-peers' has no effect: sync starts with the first peer",
    "Option '--key-value-storage' has no effect: the database is LMDB, which the system caches and which needs no settings",
  ])
})

test('all problems are told at once', async () => {
  const toml = ['foo=1', 'rpc-http-port="x"', 'identity=["a"]', 'override-genesis-config=["chainId=1"]']
  cli.write('c.toml', toml.join('\n'))
  const { code, stdout } = await cli.run(args)
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Unknown option in TOML configuration file: foo',
    "Invalid value for option '--identity': expected one value but was a list",
    "Option '--override-genesis-config' is not supported: set the values in the genesis file, which all nodes must have alike",
    "Invalid value for option '--rpc-http-port': 'x' is not an int",
  ])
  const start = await cli.run(['--config-file={dir}/c.toml'])
  expect([start.code, start.stderr, start.started]).toEqual([2, stdout, undefined])
})

test.each([
  [args, ' {dir}/c.toml'],
  [['validate-config'], ''],
])('no file: %j', async (words, file) => {
  const { code, stdout } = await cli.run(words)
  expect([code, stdout.replaceAll(cli.dir, '{dir}')]).toEqual([
    1,
    `Unable to read TOML configuration, file not found.${file}\n`,
  ])
})

test.each([
  ['a good file', 'rpc-http-port=1\n', 0, /^TOML config file is valid/],
  ['a bad file', 'rpc-htp-port=1\n', 1, /: rpc-htp-port\. Did you mean rpc-http-port or .+\?\n$/],
  ['no TOML', 'rpc-http-port=', 1, /^Invalid TOML configuration: .+c\.toml, line 1, column \d+\)\n$/],
])('%s ends with the same code wherever its option stands', async (_, toml, want, verdict) => {
  cli.write('c.toml', toml)
  for (const words of [args, ['--config-file={dir}/c.toml', 'validate-config']]) {
    const { code, stdout, stderr } = await cli.run(words, { env: { BESU_CONFIG_FILE: '{dir}/other.toml' } })
    expect([code, stderr]).toEqual([want, ''])
    expect(stdout).toMatch(verdict)
  }
})
