import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

describe('precedence', () => {
  const flag = ['--rpc-http-port=1']
  const own = { QUOIN_RPC_HTTP_PORT: '2' }
  const besu = { BESU_RPC_HTTP_PORT: '3' }
  const file = ['--config-file={dir}/c.toml']

  test.each([
    ['flag', [...file, ...flag], { ...own, ...besu }, 1],
    ['own variable', file, { ...own, ...besu }, 2],
    ["Besu's variable", file, besu, 3],
    ['file', file, {}, 4],
    ['default', [], {}, 8545],
  ])('%s', async (_, args, env: Record<string, string>, port) => {
    cli.write('c.toml', 'rpc-http-port=4\n')
    const { started, stderr } = await cli.run(args, { env })
    expect(stderr).toBe('')
    expect(started?.['rpc-http-port']).toBe(port)
  })

  test('a file may be named by a variable', async () => {
    cli.write('c.toml', 'rpc-http-port=4\n')
    expect((await cli.run([], { env: { BESU_CONFIG_FILE: '{dir}/c.toml' } })).started?.['rpc-http-port']).toBe(4)
  })

  test('a list is replaced as a whole', async () => {
    cli.write('c.toml', 'rpc-http-api=["DEBUG","ETH"]\n')
    const { started } = await cli.run([...file, '--rpc-http-api=NET'])
    expect(started?.['rpc-http-api']).toEqual(['NET'])
  })

  test('an alias works in the environment', async () => {
    const { started } = await cli.run([], { env: { BESU_HOST_WHITELIST: 'a.example' } })
    expect(started?.['host-allowlist']).toEqual(['a.example'])
  })
})

describe('defaults that depend', () => {
  test('the development network can be reached without options', async () => {
    const { started } = await cli.run([])
    expect(started).toMatchObject({ network: 'DEV', 'rpc-http-enabled': true, 'rpc-ws-enabled': true })
  })

  test('private transactions work on the development network without more options', async () => {
    const chosen = async (...args: string[]) => (await cli.run(['--network=dev', ...args])).started!
    const open = await chosen('--privacy-enabled')
    expect(open['min-gas-price']).toBe(0n)
    expect(open['rpc-http-api']).toEqual(expect.arrayContaining(['ETH', 'EEA', 'PRIV']))
    expect((await chosen('--privacy-enabled=false'))['min-gas-price']).toBe(1000n)
    expect((await chosen())['rpc-http-api']).not.toContain('PRIV')
  })

  test('a network of one’s own pays for markers, or says that gas is free', async () => {
    const { stderr } = await cli.run(['--genesis-file=g.json', '--privacy-enabled'])
    expect(stderr).toContain('Not a free gas network.')
  })

  test('a network of one’s own listens only when told to', async () => {
    const { started } = await cli.run(['--genesis-file=g.json', '--rpc-ws-enabled'])
    expect(started).toMatchObject({ 'rpc-http-enabled': false, 'rpc-ws-enabled': true })
  })
})

describe('configuration file', () => {
  async function run(toml: string) {
    cli.write('c.toml', toml)
    return cli.run(['--config-file={dir}/c.toml'])
  }

  test('every type of value', async () => {
    const { started, stderr } = await run(`
      network = "dev"
      rpc-http-enabled = false
      min-gas-price = 123456789012345678
      api-gas-price-percentile = 33.5
      host-allowlist = ["a.example", "b.example"]
      miner-coinbase = "0x00000000000000000000000000000000000000ff"
    `)
    expect(stderr).toBe('')
    expect(started).toMatchObject({
      network: 'DEV',
      'rpc-http-enabled': false,
      'min-gas-price': 123456789012345678n,
      'api-gas-price-percentile': 33.5,
      'host-allowlist': ['a.example', 'b.example'],
    })
    expect(started?.['miner-coinbase']?.[19]).toBe(255)
  })

  test('headings only order it', async () => {
    const { started } = await run('[Node]\nidentity = "n1"\n[Rpc.Http]\nrpc-http-port = 7\n')
    expect(started).toMatchObject({ identity: 'n1', 'rpc-http-port': 7 })
  })

  test('two names of an option that say the same', async () => {
    const { started } = await run('host-allowlist = ["a", "b"]\nhost-whitelist = ["b", "a", "a"]\n')
    expect(new Set(started?.['host-allowlist'])).toEqual(new Set(['a', 'b']))
  })

  test('aliases', async () => {
    const { started } = await run('rpc-http-apis = ["NET"]\n')
    expect(started?.['rpc-http-api']).toEqual(['NET'])
  })

  test.each([
    ['unknown key', 'foo="x"\n', 'Unknown option in TOML configuration file: foo'],
    ['unknown keys', 'foo="x"\n[t]\nbar=1\n', 'Unknown options in TOML configuration file: bar, foo'],
    ['short name', 'l="INFO"\n', 'Unknown option in TOML configuration file: l'],
    ['wrong type', 'rpc-http-port="abc"\n', "Invalid value for option '--rpc-http-port': 'abc' is not an int"],
    [
      'number for boolean',
      'rpc-http-enabled=1\n',
      "Invalid value for option '--rpc-http-enabled': '1' is not a boolean",
    ],
    ['date', 'rpc-http-port=2020-01-01\n', "Invalid value for option '--rpc-http-port': '2020-01-01' is not an int"],
    [
      'value for list',
      'rpc-http-api="ETH"\n',
      `Invalid value for option '--rpc-http-api': expected a list, as in rpc-http-api=["a", "b"]`,
    ],
    ['list for value', 'identity=["a"]\n', "Invalid value for option '--identity': expected one value but was a list"],
    ['empty', '', 'Unable to read TOML configuration file {dir}/c.toml'],
    ['itself', 'config-file="x"\n', 'Option config-file cannot be set in a TOML configuration file'],
    [
      'twice',
      'rpc-http-api=["ETH"]\nrpc-http-apis=["NET"]\n',
      "Option 'rpc-http-api' is set more than once in TOML configuration file {dir}/c.toml",
    ],
    ['unsupported', 'Xp2p-tls-enabled=true\n', /^Option '--Xp2p-tls-enabled' supports only false: /],
    ['two names', 'host-allowlist=["a"]\nhost-whitelist=["b"]\n', /^Option 'host-allowlist' is set more than once/],
    ['syntax', 'network=\n', /^Invalid TOML configuration: .* \(\{dir\}\/c\.toml, line 1, column \d+\)$/],
  ])('%s', async (_, toml, message) => {
    const { code, stderr, started } = await run(toml)
    expect([code, started]).toEqual([2, undefined])
    if (typeof message === 'string') expect(stderr).toBe(message + '\n')
    else expect(stderr.trimEnd()).toMatch(message)
  })

  test('missing', async () => {
    const { code, stderr } = await cli.run(['--config-file={dir}/none.toml'])
    expect([code, stderr]).toEqual([2, 'Unable to read TOML configuration, file not found. {dir}/none.toml\n'])
  })

  test('named twice', async () => {
    const { code, stderr } = await cli.run(['--config-file=a.toml'], { env: { QUOIN_CONFIG_FILE: 'b.toml' } })
    const text = 'TOML file specified using QUOIN_CONFIG_FILE=b.toml and --config-file [a.toml]\n'
    expect([code, stderr]).toEqual([2, text])
  })
})

test('a wrong variable is told like a wrong flag', async () => {
  const { code, stderr } = await cli.run([], { env: { BESU_RPC_WS_PORT: 'x' } })
  expect([code, stderr]).toEqual([2, "Invalid value for option '--rpc-ws-port': 'x' is not an int\n"])
})

test('an option that is not supported is rejected in the environment too', async () => {
  const { code, stderr } = await cli.run([], { env: { BESU_SECURITY_MODULE: 'vault' } })
  expect([code, stderr.slice(0, 44)]).toEqual([2, "Invalid value for option '--security-module'"])
})
