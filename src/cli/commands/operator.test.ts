import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { curve, privateKeyToAddress, publicKeyToAddress } from '../../primitives/secp256k1.ts'
import { type ExtraDataType, extraDataCodecs } from '../extraDataTypes.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const keyOf = (n: number) => curve.publicKey(new Uint8Array(32).fill(n))
const publicKeys = [1, 2, 3].map(keyOf)
const addresses = publicKeys.map(publicKeyToAddress).map(toHex)

function configOf(engine: object, nodes?: object, more: object = {}): string {
  return JSON.stringify({ genesis: { config: { chainId: 1, ...engine }, ...more }, blockchain: { nodes } })
}

function generate(text: string, ...more: string[]) {
  cli.write('c.json', text)
  return cli.run(['operator', 'generate-blockchain-config', '--config-file={dir}/c.json', '--to={dir}/out', ...more])
}

const genesis = () => JSON.parse(cli.read('out/genesis.json')) as { extraData?: string }
const validatorsIn = (type: ExtraDataType) =>
  extraDataCodecs[type].decode(fromHex(genesis().extraData!)).validators.map(toHex)

describe('imported keys', () => {
  const nodes = { keys: publicKeys.map(toHex) }

  test.each([
    ['ibft2', 'IBFT_EXTRA_DATA'],
    ['qbft', 'QBFT_EXTRA_DATA'],
  ] as const)('%s keeps their order', async (engine, type) => {
    const { code, stdout, stderr } = await generate(configOf({ [engine]: {} }, nodes))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^genesis file of the network: .+genesis\.json\nkeys of \d+ nodes, .+: .+keys\n$/)
    expect(validatorsIn(type)).toEqual(addresses)
    for (const [i, address] of addresses.entries())
      expect(cli.read(`out/keys/${address}/key.pub`)).toBe(toHex(publicKeys[i]!))
    expect(cli.entries()).toHaveLength(4 + 2 * 3)
  })

  test('clique sorts them between vanity and seal', async () => {
    await generate(configOf({ clique: {} }, nodes))
    const signers = [...addresses].sort().map((address) => address.slice(2))
    expect(genesis().extraData).toBe(`0x${'00'.repeat(32)}${signers.join('')}${'00'.repeat(65)}`)
  })

  test('clique leaves extra data that is there', async () => {
    await generate(configOf({ clique: {} }, nodes, { extraData: '0x01' }))
    expect(genesis().extraData).toBe('0x01')
  })

  test('no engine, no extra data', async () => {
    await generate(configOf({}, nodes))
    expect(genesis()).toEqual({ config: { chainId: 1 } })
  })
})

test('generated keys belong to the validators, and only their owner may read them', async () => {
  const { code } = await generate(configOf({ qbft: {} }, { generate: true, count: 4 }))
  expect(code).toBe(0)
  const validators = validatorsIn('QBFT_EXTRA_DATA')
  expect(new Set(validators).size).toBe(4)
  for (const address of validators) {
    const privateKey = fromHex(cli.read(`out/keys/${address}/key.priv`))
    expect(toHex(privateKeyToAddress(privateKey))).toBe(address)
    expect(cli.read(`out/keys/${address}/key.pub`)).toBe(toHex(curve.publicKey(privateKey)))
    if (process.platform !== 'win32')
      expect(statSync(join(cli.dir, `out/keys/${address}/key.priv`)).mode & 0o077).toBe(0)
  }
})

test('the other curve', async () => {
  const { code } = await generate(configOf({ ecCurve: 'secp256r1', qbft: {} }, { generate: true, count: 2 }))
  expect(code).toBe(0)
  for (const address of validatorsIn('QBFT_EXTRA_DATA')) {
    const publicKey = fromHex(cli.read(`out/keys/${address}/key.pub`))
    expect(toHex(publicKeyToAddress(publicKey))).toBe(address)
    expect(curve.isPublicKey(publicKey)).toBe(false)
  }
})

test('the genesis is written as it was given, extra data last', async () => {
  const given = '{"genesis":{"config":{"qbft":{}},"difficulty":123456789012345678901,"alloc":{}},"blockchain":{}}'
  await generate(given)
  expect(cli.read('out/genesis.json')).toBe(`{
  "config" : {
    "qbft" : { }
  },
  "difficulty" : 123456789012345678901,
  "alloc" : { },
  "extraData" : "0xe5a0${'00'.repeat(32)}c0c080c0"
}`)
})

test('old extra data is replaced where it stands, whatever its letters', async () => {
  await generate('{"genesis":{"extradata":"0x","config":{"QBFT":{}}}}')
  expect(Object.keys(genesis())).toEqual(['extradata', 'config'])
  expect(genesis()).toMatchObject({ extradata: expect.stringMatching(/^0xe5a0/) })
})

test('file names', async () => {
  const names = ['--genesis-file-name=g', '--private-key-file-name=s', '--public-key-file-name=p']
  await generate(configOf({ qbft: {} }, { generate: true, count: 1 }), ...names)
  expect(cli.entries().filter((name) => /[/][gsp]$/.test(name))).toHaveLength(3)
})

test('an empty folder is filled', async () => {
  cli.write('out/x', '')
  const { code, stderr } = await generate(configOf({ qbft: {} }))
  expect([code, stderr]).toEqual([1, 'Output directory already exists.\n'])
  rmSync(join(cli.dir, 'out/x'))
  expect((await generate(configOf({ qbft: {} }))).code).toBe(0)
  expect(cli.entries()).toEqual(['c.json', 'out', 'out/genesis.json', 'out/keys'])
})

describe('refuses, and leaves nothing', () => {
  const key = toHex(publicKeys[0]!)
  const bad = `0x${'11'.repeat(64)}`
  test.each([
    ['no JSON', '{', /^The config file is not JSON: .+\n$/],
    ['no object', '[]', /^The config file must contain a JSON object\n$/],
    ['no config', '{"genesis":{}}', /^Missing config section in config file\n$/],
    ['no genesis', '{}', /^Missing config section in config file\n$/],
    ['genesis of wrong type', '{"genesis":1}', /^'genesis' in the config file must be an object but was NUMBER\n$/],
    ['a key of wrong type', configOf({ qbft: {} }, { keys: [1] }), /^Invalid key json of type: NUMBER\n$/],
    ['a short key', configOf({ qbft: {} }, { keys: ['0x0102'] }), /^Encoding must be 64 bytes long, got 2\n$/],
    ['no hexadecimal', configOf({ qbft: {} }, { keys: ['zz'] }), /^Public key 'zz' is not hexadecimal\n$/],
    [
      'a key off the curve',
      configOf({ qbft: {} }, { keys: [bad] }),
      new RegExp(`^${bad} is not a valid public key for elliptic curve secp256k1\n$`),
    ],
    ['a key twice', configOf({ qbft: {} }, { keys: [key, key] }), /^Validator 0x.+ is listed more than once\n$/],
    ['keys of wrong type', configOf({ qbft: {} }, { keys: {} }), /^'keys' must be an array but was OBJECT\n$/],
    ['count 0', configOf({ qbft: {} }, { generate: true, count: 0 }), /^'count' must be an integer from 1 to 10000\n$/],
    ['no count', configOf({ qbft: {} }, { generate: true }), /^'count' must be .+ but is missing\n$/],
    ['half a node', configOf({ qbft: {} }, { generate: true, count: 1.5 }), /^'count' must be an integer/],
    [
      'generate of wrong type',
      configOf({ qbft: {} }, { generate: 1 }),
      /^'generate' must be true or false but was NUMBER\n$/,
    ],
    [
      'an unknown curve',
      configOf({ ecCurve: 'x' }),
      /^Invalid parameter for ecCurve in genesis config: 'x' is not one of /,
    ],
  ])('%s', async (_, text, message) => {
    const { code, stdout, stderr } = await generate(text)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(cli.entries()).toEqual(['c.json'])
  })

  test.each([
    [['--public-key-file-name=key.priv'], 1, 'Output file paths must be unique.\n'],
    [['--genesis-file-name=keys'], 1, 'Output file paths must be unique.\n'],
    [
      ['--genesis-file-name=../g'],
      2,
      "Invalid value for option '--genesis-file-name': '../g' is not a file name without directory\n",
    ],
  ])('%j', async (more, exit, message) => {
    const { code, stderr } = await generate(configOf({ qbft: {} }), ...more)
    expect([code, stderr, cli.entries()]).toEqual([exit, message, ['c.json']])
  })

  test('a folder without parent', async () => {
    cli.write('c.json', configOf({ qbft: {} }))
    const args = ['--config-file={dir}/c.json', '--to={dir}/none/out']
    const { code, stderr } = await cli.run(['operator', 'generate-blockchain-config', ...args])
    expect([code, cli.entries()]).toEqual([1, ['c.json']])
    expect(stderr).toMatch(/^Unable to write \{dir\}\/none\/out: ENOENT.*\n$/)
  })

  test('a missing config file', async () => {
    const args = ['--config-file={dir}/none', '--to={dir}/out']
    const { code, stderr } = await cli.run(['operator', 'generate-blockchain-config', ...args])
    expect([code, cli.entries()]).toEqual([1, []])
    expect(stderr).toMatch(/^Unable to read config file \{dir\}\/none: ENOENT.*\n$/)
  })
})
