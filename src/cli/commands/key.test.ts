import { chmodSync, lstatSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { encryptKeystoreJson, Wallet } from 'ethers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
  cli.write('password', 'correct horse\n')
})
afterEach(() => cli.remove())

// The generator of the curve: private key 1.
const plain = `0x${'1'.padStart(64, '0')}`
const address = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'

test('a new key is encrypted, and no key is ever replaced', async () => {
  const args = ['key', 'new', '--to={dir}/a/key', '--password-file={dir}/password']
  const { code, stdout } = await cli.run(args)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-f]{40}\n$/)])
  expect(`0x${JSON.parse(cli.read('a/key')).address}\n`).toBe(stdout)
  const again = await cli.run(args)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('{dir}/a/key: the file exists already')])
})

test('a wallet of others opens what is encrypted here, and its files are opened here', async () => {
  cli.write('d/key', plain)
  const done = await cli.run(['--data-path={dir}/d', 'key', 'encrypt', '--password-file={dir}/password'])
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('is encrypted')])
  expect((await Wallet.fromEncryptedJson(cli.read('d/key'), 'correct horse')).privateKey).toBe(plain)
  cli.write('theirs', await encryptKeystoreJson(new Wallet(plain), 'correct horse', { scrypt: { N: 2 } }))
  const given = await cli.run(['key', 'export', '{dir}/theirs', '--password-file={dir}/password', '--to={dir}/out'])
  expect([given.code, given.stdout, cli.read('out')]).toEqual([0, `${address}\n`, plain])
})

test('a node finds its key with the password, and says what is missing without it', async () => {
  cli.write('d/key', plain)
  await cli.run(['--data-path={dir}/d', 'key', 'encrypt', '--password-file={dir}/password'])
  const main = ['--data-path={dir}/d', '--node-private-key-password-file={dir}/password']
  expect((await cli.run([...main, 'public-key', 'export-address'])).stdout).toBe(`${address}\n`)
  expect((await cli.run([...main, 'key', 'inspect'])).stdout).toContain(`encrypted: yes\naddress: ${address}\n`)
  const { code, stderr } = await cli.run(['--data-path={dir}/d', 'public-key', 'export-address'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('--node-private-key-password-file')])
  const twice = await cli.run([...main, 'key', 'encrypt', '--password-file={dir}/password'])
  expect([twice.code, twice.stderr]).toEqual([1, '{dir}/d/key: the key is encrypted already\n'])
})

test('a copy has a password of its own', async () => {
  cli.write('a', plain)
  cli.write('other', 'battery staple')
  const first = await cli.run(['key', 'import', '{dir}/a', '--to={dir}/b', '--password-file={dir}/password'])
  const second = ['key', 'import', '{dir}/b', '--to={dir}/c', '--from-password-file={dir}/password']
  const third = await cli.run([...second, '--password-file={dir}/other'])
  expect([first.stdout, third.stdout]).toEqual([`${address}\n`, `${address}\n`])
  const shown = await cli.run(['key', 'inspect', '{dir}/c', '--password-file={dir}/other'])
  expect(shown.stdout).toContain(address)
  const wrong = await cli.run(['key', 'inspect', '{dir}/c', '--password-file={dir}/password'])
  expect([wrong.code, wrong.stderr]).toEqual([1, '{dir}/c: the password is wrong\n'])
})

test('the key of a private transaction manager is encrypted in its place, too', async () => {
  const made = await cli.run(['--data-path={dir}/d', 'privacy-manager', 'keygen'])
  const file = '{dir}/d/privacy.key'
  expect((await cli.run(['key', 'inspect', file])).stdout).toContain('encrypted: no\n')
  await cli.run(['key', 'encrypt', file, '--password-file={dir}/password'])
  const shown = await cli.run(['key', 'inspect', file, '--password-file={dir}/password'])
  expect(shown.stdout).toBe(`file: ${cli.dir}/d/privacy.key\nencrypted: yes\npublic key: ${made.stdout}`)
})

describe('says what is wrong with', () => {
  test.each([
    ['no key', 'zz', '{dir}/k: Supplied file does not contain valid keyPair pair.\n'],
    [
      'broken JSON',
      '{',
      '{dir}/k: no password: the key is encrypted; name the file that holds its password with --password-file\n',
    ],
  ])('%s', async (_, text, sentence) => {
    cli.write('k', text)
    const { code, stderr } = await cli.run(['key', 'inspect', '{dir}/k'])
    expect([code, stderr]).toEqual([1, sentence])
  })

  test('a file that is missing, and a password that is empty', async () => {
    const { stderr } = await cli.run(['key', 'inspect', '{dir}/none'])
    expect(stderr).toContain('{dir}/none: the private key file does not exist')
    cli.write('empty', '\n')
    const empty = await cli.run(['key', 'new', '--to={dir}/k', '--password-file={dir}/empty'])
    expect([empty.code, empty.stderr, cli.exists('k')]).toEqual([1, '{dir}/empty: the password is empty\n', false])
  })
})

test('the key of a manager is copied, encrypted, and put into the open again as Tessera reads it', async () => {
  const made = await cli.run(['--data-path={dir}/d', 'privacy-manager', 'keygen'])
  const one = await cli.run(['key', 'import', '{dir}/d/privacy.key', '--to={dir}/b', '--password-file={dir}/password'])
  const two = await cli.run(['key', 'export', '{dir}/b', '--to={dir}/c', '--password-file={dir}/password'])
  expect([one.stdout, two.stdout]).toEqual([made.stdout, made.stdout])
  expect(cli.read('c')).toBe(cli.read('d/privacy.key'))
})

test.skipIf(process.platform === 'win32')(
  'files of keys are for their owner, and a link stays where it leads',
  async () => {
    await cli.run(['key', 'new', '--to={dir}/a'])
    await cli.run(['key', 'import', '{dir}/a', '--to={dir}/b', '--password-file={dir}/password'])
    await cli.run(['key', 'export', '{dir}/a', '--to={dir}/c'])
    chmodSync(join(cli.dir, 'c'), 0o640)
    symlinkSync('c', join(cli.dir, 'link'))
    const { code } = await cli.run(['key', 'encrypt', '{dir}/link', '--password-file={dir}/password'])
    expect([code, lstatSync(join(cli.dir, 'link')).isSymbolicLink()]).toEqual([0, true])
    for (const name of ['a', 'b', 'c']) expect(statSync(join(cli.dir, name)).mode & 0o777).toBe(0o600)
    expect(cli.read('c')).toContain('"version": 3')
    expect(cli.entries()).toEqual(['a', 'b', 'c', 'link', 'password'])
  },
)

test('a key in the open that is not one is not quoted', async () => {
  const text = '1'.repeat(63)
  cli.write('k', text)
  const { code, stdout, stderr } = await cli.run(['key', 'inspect', '{dir}/k'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).not.toContain(text.slice(0, 8))
})
