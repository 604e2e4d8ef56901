import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve, privateKeyToAddress } from '../primitives/secp256k1.ts'
import { KeyError } from './fault.ts'
import { encryptKeystore } from './keystore.ts'
import { type GeneratedKey, generatePrivateKey, loadOrCreateNodeKey, readPrivateKey } from './nodeKey.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quoin-key-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const hex = '11'.repeat(32)
const readKey = (path: string, passwordFile?: string) => readPrivateKey({ path, passwordFile })
const load = (
  dataPath: string,
  given: { readonly keyFile?: string; readonly passwordFile?: string } = {},
  onGenerated?: (generated: GeneratedKey) => void,
) => loadOrCreateNodeKey({ dataPath, keyFile: given.keyFile, passwordFile: given.passwordFile }, onGenerated)

describe('reads', () => {
  test.each([hex, `0x${hex}`, `0x${hex}\n`, `${hex}\r\n`])('%j', async (text) => {
    writeFileSync(join(dir, 'k'), text)
    expect(toHex(await readKey(join(dir, 'k')))).toBe(`0x${hex}`)
  })
})

async function faultOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (error instanceof KeyError) return error.at.code
    throw error
  }
  throw new Error('no fault')
}

describe('refuses', () => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  test.each(['', '\n', 'zz', hex.slice(2), `${hex}00`, `${hex}\n${hex}`, `${hex}\n\n`, '00'.repeat(32), order])(
    '%j',
    async (text) => {
      writeFileSync(join(dir, 'k'), text)
      expect(await faultOf(() => readKey(join(dir, 'k')))).toBe('KEY_FILE_INVALID')
    },
  )

  test('a missing file and a folder', async () => {
    expect(await faultOf(() => readKey(join(dir, 'none')))).toBe('KEY_FILE_MISSING')
    expect(await faultOf(() => readKey(dir))).toBe('KEY_FILE_UNREADABLE')
  })
})

describe('a node', () => {
  test('makes its key once, readable by its owner only', async () => {
    const data = join(dir, 'a/b')
    const key = await load(data)
    expect(readFileSync(join(data, 'key'), 'utf8')).toBe(toHex(key))
    if (process.platform !== 'win32') expect(statSync(join(data, 'key')).mode & 0o077).toBe(0)
    expect(await load(data)).toEqual(key)
    expect(readdirSync(data)).toEqual(['key'])
  })

  test('takes the file it is given', async () => {
    writeFileSync(join(dir, 'k'), hex)
    expect(toHex(await load(join(dir, 'data'), { keyFile: join(dir, 'k') }))).toBe(`0x${hex}`)
    expect(readdirSync(dir)).toEqual(['k'])
  })

  test('refuses to start without the file it is given, and makes no other', async () => {
    writeFileSync(join(dir, 'key'), hex)
    expect(await faultOf(() => load(join(dir, 'data'), { keyFile: join(dir, 'none') }))).toBe('KEY_FILE_MISSING')
    expect(readdirSync(dir)).toEqual(['key'])
  })

  test('says where it has made a key, and only then', async () => {
    const said: string[] = []
    const loadOnce = () => load(dir, {}, ({ path, key }) => said.push(path, toHex(key)))
    const key = await loadOnce()
    await loadOnce()
    expect(said).toEqual([join(dir, 'key'), toHex(key)])
  })

  test('does not replace a key that it cannot read', async () => {
    writeFileSync(join(dir, 'key'), 'zz')
    expect(await faultOf(() => load(dir))).toBe('KEY_FILE_INVALID')
    expect(readFileSync(join(dir, 'key'), 'utf8')).toBe('zz')
  })
})

describe('an encrypted key', () => {
  const cheap = { n: 2, r: 8, p: 1 }
  const password = (text: string) => {
    writeFileSync(join(dir, 'password'), text)
    return join(dir, 'password')
  }

  test('is read with its password, with or without a line break', async () => {
    writeFileSync(join(dir, 'k'), await encryptKeystore(fromHex(`0x${hex}`), Buffer.from('secret'), undefined, cheap))
    for (const text of ['secret', 'secret\n', 'secret\r\n'])
      expect(toHex(await readKey(join(dir, 'k'), password(text)))).toBe(`0x${hex}`)
    expect(await faultOf(() => readKey(join(dir, 'k'), password('Secret')))).toBe('WRONG_PASSWORD')
    expect(await faultOf(() => readKey(join(dir, 'k')))).toBe('PASSWORD_MISSING')
    expect(await faultOf(() => readKey(join(dir, 'k'), join(dir, 'none')))).toBe('PASSWORD_UNREADABLE')
  })

  test('is made where a password is given, not with an empty one', async () => {
    expect(await faultOf(() => load(dir, { passwordFile: password('\n') }))).toBe('PASSWORD_EMPTY')
    const passwordFile = password('secret')
    const key = await load(dir, { passwordFile })
    const text = readFileSync(join(dir, 'key'), 'utf8')
    expect(text).not.toContain(toHex(key).slice(2))
    expect(JSON.parse(text)).toMatchObject({ version: 3, address: toHex(privateKeyToAddress(key)).slice(2) })
    if (process.platform !== 'win32') expect(statSync(join(dir, 'key')).mode & 0o077).toBe(0)
    expect(await load(dir, { passwordFile })).toEqual(key)
    expect(await faultOf(() => load(dir))).toBe('PASSWORD_MISSING')
  })

  test('is expected where there is a password: one in the open is refused', async () => {
    writeFileSync(join(dir, 'key'), hex)
    expect(await faultOf(() => load(dir, { passwordFile: password('secret') }))).toBe('KEY_NOT_ENCRYPTED')
  })

  test('is of the address that the file names', async () => {
    const other = privateKeyToAddress(fromHex(`0x${'22'.repeat(32)}`))
    writeFileSync(
      join(dir, 'k'),
      await encryptKeystore(fromHex(`0x${hex}`), Buffer.from('secret'), { address: other }, cheap),
    )
    expect(await faultOf(() => readKey(join(dir, 'k'), password('secret')))).toBe('KEYSTORE_INVALID')
  })
})

test('fresh keys are valid and differ', () => {
  const keys = Array.from({ length: 8 }, generatePrivateKey)
  expect(keys.every(curve.isPrivateKey)).toBe(true)
  expect(new Set(keys.map(toHex)).size).toBe(8)
})
