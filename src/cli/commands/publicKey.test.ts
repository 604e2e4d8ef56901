import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

// The generator of the curve: private key 1.
const key = '1'.padStart(64, '0')
const publicKey =
  '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
  '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
const address = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'

test.each([
  ['export', publicKey],
  ['export-address', address],
])('%s', async (name, want) => {
  cli.write('d/key', `0x${key}\n`)
  const { code, stdout, stderr } = await cli.run(['--data-path={dir}/d', 'public-key', name])
  expect([code, stdout, stderr]).toEqual([0, want + '\n', ''])
})

test('the curve of Besu, and another one', async () => {
  cli.write('d/key', key)
  const own = await cli.run(['--data-path={dir}/d', 'public-key', 'export-address', '--ec-curve=secp256k1'])
  expect([own.code, own.stdout]).toEqual([0, address + '\n'])
  const other = await cli.run(['--data-path={dir}/d', 'public-key', 'export', '--ec-curve=secp256r1'])
  expect(other.stderr).toContain("expected one of [secp256k1] (case-insensitive) but was 'secp256r1'")
})

test('to a file, without a newline', async () => {
  cli.write('d/key', key)
  const { code, stdout } = await cli.run(['--data-path={dir}/d', 'public-key', 'export', '--to={dir}/o'])
  expect([code, stdout, cli.read('o')]).toEqual([0, '', publicKey])
})

test('own file before the main option, which comes before the data path', async () => {
  cli.write('a', key)
  cli.write('b', key.replace(/1$/, '2'))
  const main = ['--data-path={dir}/d', '--node-private-key-file={dir}/b', 'public-key', 'export']
  expect((await cli.run([...main, '--node-private-key-file={dir}/a'])).stdout).toBe(publicKey + '\n')
  expect((await cli.run(main)).stdout).not.toBe(publicKey + '\n')
  expect(cli.entries()).toEqual(['a', 'b'])
})

test('makes the key of a new node, once', async () => {
  const first = await cli.run(['--data-path={dir}/d', 'public-key', 'export'])
  const second = await cli.run(['--data-path={dir}/d', 'public-key', 'export'])
  expect(first.stdout).toMatch(/^0x[0-9a-f]{128}\n$/)
  expect(second.stdout).toBe(first.stdout)
  expect(cli.read('d/key')).toMatch(/^0x[0-9a-f]{64}$/)
})

test('a file that is missing or wrong', async () => {
  const missing = await cli.run(['public-key', 'export', '--node-private-key-file={dir}/none'])
  expect([missing.code, missing.stderr]).toEqual([1, "Private key file doesn't exist: {dir}/none\n"])
  cli.write('d/key', 'zz')
  const wrong = await cli.run(['--data-path={dir}/d', 'public-key', 'export'])
  expect([wrong.code, wrong.stderr]).toEqual([1, 'Private key cannot be loaded from file: {dir}/d/key\n'])
})
