import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../test/support/cliHarness.ts'
import { ChainError } from '../chain/fault.ts'
import { unsupported } from '../config/unsupported.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { runCli } from './runCli.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

describe('spelling', () => {
  test.each([
    ['with equals sign', ['--rpc-http-port=7'], { 'rpc-http-port': 7 }],
    ['with blank', ['--rpc-http-port', '7'], { 'rpc-http-port': 7 }],
    ['negative number', ['--rpc-http-max-batch-size', '-1'], { 'rpc-http-max-batch-size': -1 }],
    ['flag alone', ['--revert-reason-enabled'], { 'revert-reason-enabled': true }],
    ['flag with value', ['--rpc-http-enabled=FALSE'], { 'rpc-http-enabled': false }],
    ['flag with value after blank', ['--rpc-http-enabled', 'false'], { 'rpc-http-enabled': false }],
    ['value with equals sign', ['--identity=a=b'], { identity: 'a=b' }],
    ['list', ['--rpc-http-api=ETH,DEBUG'], { 'rpc-http-api': ['ETH', 'DEBUG'] }],
    ['repeated list', ['--rpc-http-api=ETH', '--rpc-http-apis', 'DEBUG'], { 'rpc-http-api': ['ETH', 'DEBUG'] }],
    ['short name', ['-l', 'debug'], { logging: 'DEBUG' }],
    ['short name with equals sign', ['-l=warn'], { logging: 'WARN' }],
    ['short name, attached', ['-lwarn'], { logging: 'WARN' }],
    ['network in any case', ['--network=Dev'], { network: 'DEV' }],
    ['limits of the pool before Besu 23.10', ['--tx-pool-max-size=9'], { 'tx-pool': 'legacy', 'tx-pool-max-size': 9 }],
    ['limits of the pool since Besu 23.10', ['--tx-pool-max-future-by-sender=9'], { 'tx-pool': 'layered' }],
    ['what is so anyway', ['--sync-mode=full', '--data-storage-format=FOREST', '--p2p-enabled=false'], {}],
  ])('%s', async (_, args, config) => {
    const { code, stderr, started } = await cli.run(args)
    expect([code, stderr]).toEqual([0, ''])
    expect(started).toMatchObject(config)
  })
})

const coinbase =
  'Unable to mine without a valid coinbase. Either disable mining (remove --miner-enabled) ' +
  'or specify the beneficiary of mining (via --miner-coinbase <Address>)'

describe('wrong usage', () => {
  test.each([
    [['--foo'], "Unknown option: '--foo'"],
    [['--foo', '--bar=1'], "Unknown options: '--foo', '--bar'"],
    [['-x'], "Unknown option: '-x'"],
    [['--l=INFO'], "Unknown option: '--l'"],
    [['--rpc-htpp-port=1'], "Unknown option: '--rpc-htpp-port'\nPossible solutions: --rpc-http-port, --rpc-http-host"],
    [['--data-storage-forma=FOREST'], "Unknown option: '--data-storage-forma'"],
    [
      ['--permissions-accounts-contract-enabled'],
      'No account permissioning contract address specified. Cannot enable smart contract based account permissioning.',
    ],
    [
      ['--permissions-nodes-contract-enabled'],
      'No node permissioning contract address specified. Cannot enable smart contract based node permissioning.',
    ],
    [
      [
        '--permissions-nodes-contract-enabled',
        '--permissions-nodes-contract-address=0x0000000000000000000000000000000000009100',
        '--permissions-nodes-contract-version=3',
      ],
      'Invalid node Smart contract permissioning interface version',
    ],
    [['foo'], "Unmatched argument at index 0: 'foo'"],
    [['foo', 'bar'], "Unmatched arguments from index 0: 'foo', 'bar'"],
    [['rlp', 'encde'], "Unmatched argument at index 1: 'encde'\nDid you mean: encode?"],
    [
      ['storage', 'trie-log', 'count'],
      /^Unmatched arguments from index 0: 'storage', 'trie-log', 'count'\nIt repairs RocksDB .* 'quoin verify' look at the database\.\n$/,
    ],
    [['operator', 'generate-log-bloom-cache'], /^Unmatched argument at index 1: .*\nLogs are found by an index/],
    [['rlp', 'encode', '--foo'], "Unknown option: '--foo'"],
    [
      ['public-key', 'export', '--data-path=x'],
      "Unknown option: '--data-path'\n--data-path must be placed before 'public-key'",
    ],
    [['--data-path'], "Missing required parameter for option '--data-path' (<PATH>)"],
    [['--data-path', '--rpc-http-enabled'], "Missing required parameter for option '--data-path' (<PATH>)"],
    [['--data-path=a', '--data-path=b'], "option '--data-path' (<PATH>) should be specified only once"],
    [['--rpc-http-port=a'], "Invalid value for option '--rpc-http-port': 'a' is not an int"],
    [['--rpc-http-enabled=maybe'], "Invalid value for option '--rpc-http-enabled': 'maybe' is not a boolean"],
    [
      ['--rpc-http-api=ETH,FOO'],
      /'--rpc-http-api': invalid entries found \[FOO\], expected some of \[ADMIN, .*, ETH, .*\]/,
    ],
    [['--logging=loud'], "Invalid value for option '--logging': Unknown logging value: loud"],
    [
      ['--network=foo'],
      "Invalid value for option '--network': expected one of [MAINNET, SEPOLIA, GOERLI, HOLESKY, DEV, FUTURE_EIPS, " +
        "EXPERIMENTAL_EIPS, CLASSIC, MORDOR] (case-insensitive) but was 'foo'",
    ],
    [
      ['--network=mainnet'],
      "Invalid value for option '--network': MAINNET is not a private network; use DEV, " +
        'or configure a network with --genesis-file',
    ],
    [
      ['--network=dev', '--genesis-file=g.json'],
      "--network option and --genesis-file option can't be used at the same time.  " +
        'Please refer to CLI reference for more details about this constraint.',
    ],
    [
      ['--genesis-file=g.json', '--dev-period=1'],
      '--dev-period is only for the DEV network; with --genesis-file the genesis file sets the block period',
    ],
    [['--miner-enabled'], coinbase],
    [
      ['--rpc-http-port=24900', '--rpc-ws-port=24900'],
      "Port number '24900' has been specified multiple times. Please review the supplied configuration.",
    ],
    [
      ['--tx-pool=layered', '--tx-pool-max-size=1', '--tx-pool-retention-hours=1'],
      'Could not use legacy transaction pool options with layered implementation: set --tx-pool=legacy, ' +
        'or remove --tx-pool-max-size, --tx-pool-retention-hours',
    ],
    [
      ['--tx-pool=legacy', '--tx-pool-layer-max-capacity=1'],
      'Could not use layered transaction pool options with legacy implementation: set --tx-pool=layered, ' +
        'or remove --tx-pool-layer-max-capacity',
    ],
    [
      ['operator', 'generate-blockchain-config'],
      "Missing required options: '--config-file=<FILE>', '--to=<DIRECTORY>'",
    ],
    [['operator', 'generate-blockchain-config', '--config-file=x'], "Missing required option: '--to=<DIRECTORY>'"],
    [
      ['rlp', 'encode', '--type=CLIQUE_EXTRA_DATA'],
      "Invalid value for option '--type': expected one of [IBFT_EXTRA_DATA, QBFT_EXTRA_DATA] (case-sensitive) " +
        "but was 'CLIQUE_EXTRA_DATA'",
    ],
    [['--override-genesis-config', 'chainId=1'], /^Option '--override-genesis-config' is not supported: /],
    [['--Xp2p-tls-enabled'], /^Option '--Xp2p-tls-enabled' supports only false: /],
    [['--p2p-port=a'], "Invalid value for option '--p2p-port': 'a' is not an int"],
  ])('%j', async (args: string[], message: string | RegExp) => {
    const { code, stdout, stderr, started } = await cli.run(['--data-path={dir}/d', ...args].slice(needsPath(args)))
    expect([code, stdout, started]).toEqual([2, '', undefined])
    if (typeof message === 'string') expect(stderr).toBe(message + '\n')
    else expect(stderr).toMatch(message)
    expect(cli.entries()).toEqual([])
  })

  // Indexes in messages count from the first argument, and --data-path may be given only once.
  function needsPath(args: readonly string[]): 0 | 1 {
    return args[0]!.startsWith('--data-path') || !args[0]!.startsWith('-') ? 1 : 0
  }
})

test('one port is no conflict with a server that is off, nor is port 0', async () => {
  const off = await cli.run(['--rpc-http-port=7', '--rpc-ws-port=7', '--rpc-ws-enabled=false'])
  const any = await cli.run(['--rpc-http-port=0', '--rpc-ws-port=0'])
  expect([off.code, any.code]).toEqual([0, 0])
})

test('every option that is refused says why', async () => {
  for (const [name, { codec, fallbackText, verdict }] of Object.entries(unsupported)) {
    if (verdict === 'warned') continue
    const word = codec.label.split('|').find((w) => w !== fallbackText && codec.label.includes('|'))
    const value = codec.arity === 'flag' ? 'true' : (word ?? '1')
    const { code, stderr } = await cli.run([`--${name}=${value}`])
    expect([name, code]).toEqual([name, 2])
    expect(stderr).toMatch(new RegExp(`^(Option|Invalid value for option) '--${name}'`))
  }
})

test('without a genesis file, the data of another network is not taken for a wrong genesis file', async () => {
  const hash = new Uint8Array(32) as Hash32
  const start = () => Promise.reject(new ChainError({ code: 'GENESIS_MISMATCH', have: hash, want: hash }))
  const told = async (args: string[]) => {
    let stderr = ''
    const io = {
      env: {},
      columns: 80,
      stdout() {},
      stderr: (text: string) => void (stderr += text),
      stdin: async () => '',
    }
    expect(await runCli(args, io, start)).toBe(1)
    return stderr
  }
  expect(await told(['--data-path=D'])).toBe(
    'D has the data of another network than the development network: ' +
      'name the genesis file of that network with --genesis-file\n',
  )
  expect(await told(['--genesis-file=g.json'])).toMatch(/^the data directory belongs to another network/)
})

describe('information', () => {
  test.each(['-V', '--version'])('%s', async (flag) => {
    const { code, stdout, started } = await cli.run([flag])
    expect([code, started]).toEqual([0, undefined])
    expect(stdout).toMatch(/^quoin\/v\d+\.\d+\.\d+\/[a-z0-9]+-[a-z0-9_]+\/node-v\d+\.\d+\.\d+\n$/)
  })

  test.each([
    [['--help'], 'Usage: quoin [OPTIONS] [COMMAND]\n'],
    [['-h'], 'Usage: quoin [OPTIONS] [COMMAND]\n'],
    [['help'], 'Usage: quoin [OPTIONS] [COMMAND]\n'],
    [['help', 'blocks', 'export'], 'Usage: quoin blocks export [OPTIONS]\n'],
    [['rlp'], 'Usage: quoin rlp [OPTIONS] [COMMAND]\n'],
    [['rlp', 'encode', '--help'], 'Usage: quoin rlp encode [OPTIONS]\n'],
    [['operator', 'generate-blockchain-config', '-h'], 'Usage: quoin operator generate-blockchain-config [OPTIONS]\n'],
  ])('%j', async (args, start) => {
    const { code, stdout, stderr, started } = await cli.run(args)
    expect([code, stderr, started]).toEqual([0, '', undefined])
    expect(stdout.startsWith(start)).toBe(true)
  })
})

describe('a node that does not start', () => {
  async function startAndFail(error: unknown) {
    let stderr = ''
    const io = {
      env: {},
      columns: 80,
      stdout: () => {},
      stderr: (text: string) => void (stderr += text),
      stdin: async () => '',
    }
    const code = await runCli([], io, () => Promise.reject(error))
    return { code, stderr }
  }

  test('a fault is one line', async () => {
    const { code, stderr } = await startAndFail(new Fault({ code: 'LOCKED', by: 7 }))
    expect([code, stderr]).toEqual([1, 'LOCKED (by: 7)\n'])
  })

  test("the system's refusal is one line", async () => {
    const { code, stderr } = await startAndFail(Object.assign(new Error('EACCES: no'), { code: 'EACCES' }))
    expect([code, stderr]).toEqual([1, 'EACCES: no\n'])
  })

  test('a mistake of ours shows where', async () => {
    const { code, stderr } = await startAndFail(new TypeError('oops'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^TypeError: oops\n +at /)
  })
})
