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

test('all problems are told at once', async () => {
  const toml = [
    'foo=1',
    'rpc-http-port="x"',
    'identity=["a"]',
    'sync-mode="FAST"',
    'key-value-storage="rocksdb"',
    'override-genesis-config=["chainId=1"]',
  ]
  cli.write('c.toml', toml.join('\n'))
  const { code, stdout } = await cli.run(args)
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Unknown option in TOML configuration file: foo',
    "Invalid value for option '--identity': expected one value but was a list",
    "Option '--sync-mode' supports only FULL: sync always executes every block",
    "Option '--key-value-storage' is not supported: Java plugins are not supported",
    "Option '--override-genesis-config' is not supported: set the values in the genesis file",
    "Invalid value for option '--rpc-http-port': 'x' is not an int",
  ])
  const start = await cli.run(['--config-file={dir}/c.toml'])
  expect([start.code, start.stderr, start.started]).toEqual([2, stdout, undefined])
})

test.each([[args], [['validate-config']]])('no file: %j', async (words) => {
  const { code, stdout } = await cli.run(words)
  expect([code, stdout]).toEqual([1, 'Unable to read TOML configuration, file not found.\n'])
})
