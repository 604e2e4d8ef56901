import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../test/support/tempStore.ts'
import { toBase64 } from '../privacy/enclave/base64.ts'
import { generateKeyPair, keyFormats, loadOrCreateKey, plainKeyText, readKeyFile, writeKeyFiles } from './keys.ts'

test.each(keyFormats)('a key file of the form %s is for its owner only, and is read again', (format) =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'a.key')
    const pair = generateKeyPair()
    writeKeyFiles(path, pair, plainKeyText(pair, format))
    expect(await readKeyFile(path)).toEqual(pair)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'a.pub'), 'utf8')).toBe(pair.name)
    expect(() => writeKeyFiles(path, pair, plainKeyText(pair, format))).toThrow('never overwritten')
  }),
)

test('a key is made once', () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'deep/privacy.key')
    const made: string[] = []
    const first = await loadOrCreateKey(path, ({ name }) => made.push(name))
    expect(await loadOrCreateKey(path, ({ name }) => made.push(name))).toEqual(first)
    expect(made).toEqual([first.name])
  }))

test.each([
  ['nothing', '', '32 bytes'],
  ['a short key', 'AAAA', '32 bytes'],
  ['broken JSON', '{', 'neither JSON nor base64'],
  ['a key with a password', '{"type":"argon2sbox","data":{}}', 'password'],
  ['other JSON', '{"type":"unlocked","data":null}', 'unlocked key'],
])('%s is refused', (_, text, reason) =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'a.key')
    writeFileSync(path, text)
    await expect(readKeyFile(path)).rejects.toThrow(reason)
  }),
)

test('a key that is made with a password is encrypted, and read with it only', () =>
  withTempFolder(async (folder) => {
    const [path, password] = [join(folder, 'a.key'), join(folder, 'password')]
    writeFileSync(password, 'secret\n')
    const pair = await loadOrCreateKey(path, undefined, password)
    expect(readFileSync(path, 'utf8')).not.toContain(toBase64(pair.privateKey))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await readKeyFile(path, password)).toEqual(pair)
    await expect(readKeyFile(path)).rejects.toThrow('the key is encrypted')
    writeFileSync(password, 'other\n')
    await expect(readKeyFile(path, password)).rejects.toThrow('the password is wrong')
  }))

test('a password for a key that lies in the open is refused', () =>
  withTempFolder(async (folder) => {
    const [path, password] = [join(folder, 'a.key'), join(folder, 'password')]
    writeFileSync(password, 'secret\n')
    await loadOrCreateKey(path)
    await expect(readKeyFile(path, password)).rejects.toThrow('it is not encrypted')
  }))
