import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { NodeKeyError } from './fault.ts'
import { generatePrivateKey, loadOrCreateNodeKey, readNodeKey } from './nodeKey.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quoin-key-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const hex = '11'.repeat(32)

describe('reads', () => {
  test.each([hex, `0x${hex}`, `0x${hex}\n`, `${hex}\r\n`])('%j', (text) => {
    writeFileSync(join(dir, 'k'), text)
    expect(toHex(readNodeKey(join(dir, 'k')))).toBe(`0x${hex}`)
  })
})

function faultOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof NodeKeyError) return error.at.code
    throw error
  }
  throw new Error('no fault')
}

describe('refuses', () => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  test.each(['', '\n', 'zz', hex.slice(2), `${hex}00`, `${hex}\n${hex}`, `${hex}\n\n`, '00'.repeat(32), order])(
    '%j',
    (text) => {
      writeFileSync(join(dir, 'k'), text)
      expect(faultOf(() => readNodeKey(join(dir, 'k')))).toBe('KEY_FILE_INVALID')
    },
  )

  test('a missing file and a folder', () => {
    expect(faultOf(() => readNodeKey(join(dir, 'none')))).toBe('KEY_FILE_MISSING')
    expect(faultOf(() => readNodeKey(dir))).toBe('KEY_FILE_UNREADABLE')
  })
})

describe('a node', () => {
  test('makes its key once, readable by its owner only', () => {
    const data = join(dir, 'a/b')
    const key = loadOrCreateNodeKey(data)
    expect(readFileSync(join(data, 'key'), 'utf8')).toBe(toHex(key))
    if (process.platform !== 'win32') expect(statSync(join(data, 'key')).mode & 0o077).toBe(0)
    expect(loadOrCreateNodeKey(data)).toEqual(key)
    expect(readdirSync(data)).toEqual(['key'])
  })

  test('takes the file it is given', () => {
    writeFileSync(join(dir, 'k'), hex)
    expect(toHex(loadOrCreateNodeKey(join(dir, 'data'), join(dir, 'k')))).toBe(`0x${hex}`)
    expect(readdirSync(dir)).toEqual(['k'])
  })

  test('refuses to start without the file it is given, and makes no other', () => {
    writeFileSync(join(dir, 'key'), hex)
    expect(faultOf(() => loadOrCreateNodeKey(join(dir, 'data'), join(dir, 'none')))).toBe('KEY_FILE_MISSING')
    expect(readdirSync(dir)).toEqual(['key'])
  })

  test('tells where it has made a key, and only then', () => {
    const told: string[] = []
    const load = () => loadOrCreateNodeKey(dir, undefined, ({ path, key }) => told.push(path, toHex(key)))
    const key = load()
    load()
    expect(told).toEqual([join(dir, 'key'), toHex(key)])
  })

  test('does not replace a key that it cannot read', () => {
    writeFileSync(join(dir, 'key'), 'zz')
    expect(faultOf(() => loadOrCreateNodeKey(dir))).toBe('KEY_FILE_INVALID')
    expect(readFileSync(join(dir, 'key'), 'utf8')).toBe('zz')
  })
})

test('fresh keys are valid and differ', () => {
  const keys = Array.from({ length: 8 }, generatePrivateKey)
  expect(keys.every(curve.isPrivateKey)).toBe(true)
  expect(new Set(keys.map(toHex)).size).toBe(8)
})
