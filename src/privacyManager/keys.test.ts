import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../test/support/tempStore.ts'
import { generateKeyPair, keyFormats, loadOrCreateKey, readKeyFile, writeKeyFiles } from './keys.ts'

test.each(keyFormats)('a key file of the form %s is for its owner only, and is read again', (format) =>
  withTempFolder((folder) => {
    const path = join(folder, 'a.key')
    const pair = generateKeyPair()
    writeKeyFiles(path, pair, format)
    expect(readKeyFile(path)).toEqual(pair)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'a.pub'), 'utf8')).toBe(pair.name)
    expect(() => writeKeyFiles(path, pair, format)).toThrow('never overwritten')
  }),
)

test('a key is made once', () =>
  withTempFolder((folder) => {
    const path = join(folder, 'deep/privacy.key')
    const made: string[] = []
    const first = loadOrCreateKey(path, ({ name }) => made.push(name))
    expect(loadOrCreateKey(path, ({ name }) => made.push(name))).toEqual(first)
    expect(made).toEqual([first.name])
  }))

test.each([
  ['nothing', '', '32 bytes'],
  ['a short key', 'AAAA', '32 bytes'],
  ['broken JSON', '{', 'neither JSON nor base64'],
  ['a key with a password', '{"type":"argon2sbox","data":{}}', 'password'],
  ['other JSON', '{"type":"unlocked","data":null}', 'unlocked key'],
])('%s is refused', (_, text, reason) =>
  withTempFolder((folder) => {
    const path = join(folder, 'a.key')
    writeFileSync(path, text)
    expect(() => readKeyFile(path)).toThrow(reason)
  }),
)
