import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveConfig } from '../config/resolveConfig.ts'
import { tokenPlaceOf } from './tokenPlace.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-token-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

function placeIn(text: string) {
  const file = join(folder, 'pkcs11.cfg')
  writeFileSync(file, text)
  const given = {
    'security-module': 'hsm',
    'plugin-hsm-config-path': file,
    'plugin-hsm-password-path': 'pin.txt',
    'plugin-hsm-key-alias': 'mykey',
  }
  // As a file of Besu has them: names of the plugin.
  const toml = join(folder, 'besu.toml')
  writeFileSync(
    toml,
    Object.entries(given)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  )
  const { config } = resolveConfig(new Map([['config-file', toml]]), {})
  expect(config['security-module']).toBe('pkcs11')
  return tokenPlaceOf(config, 'x')
}

test.each([
  ['library = /opt/lib.so\nslot = 3', { kind: 'slot', slot: 3 }],
  [
    'name = Luna\nslotListIndex=0\nshowInfo = false\nlibrary="/opt/lib.so" # of the vendor',
    { kind: 'index', index: 0 },
  ],
  ['#slot = 1\r\nlibrary = /opt/lib.so\r\nslot = 0x1f\r\n', { kind: 'slot', slot: 31 }],
  [
    'library = /opt/lib.so\nslot = 2\nattributes(generate,CKO_SECRET_KEY,CKK_GENERIC_SECRET) = {\n  CKA_SENSITIVE = false\n}',
    { kind: 'slot', slot: 2 },
  ],
])("the file of Besu's plugin: %j", (text, slot) => {
  expect(placeIn(text)).toEqual({ library: '/opt/lib.so', slot, pinFile: 'pin.txt', label: 'mykey', agrees: true })
})

test.each([
  ['', 'there is no line with the library of the token'],
  ['slot = 1', 'there is no line with the library of the token'],
  ['library = /opt/lib.so', 'one line has to name the slot'],
  ['library = /opt/lib.so\nslot = 1\nslotListIndex = 0', 'one line has to name the slot'],
  ['library = /opt/lib.so\nslot = -1', "'-1' is not the number of a slot"],
  ['library = /opt/lib.so\nslotListIndex = first', "'first' is not the number of a slot"],
])('%j is refused', (text, problem) => {
  expect(() => placeIn(text)).toThrow(problem)
})

test('a file that is missing is named', () => {
  const { config } = resolveConfig(
    new Map([
      ['pkcs11-config-file', '/nowhere/cfg'],
      ['pkcs11-key-label', 'x'],
    ]),
    {},
  )
  expect(() => tokenPlaceOf(config, 'x')).toThrow('/nowhere/cfg: the file of --pkcs11-config-file cannot be read')
})
