import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { keyNumber } from '../../test/support/netHarness.ts'
import { curve } from '../primitives/secp256k1.ts'
import { formatEnode } from './enode.ts'
import { readStaticNodes } from './readStaticNodes.ts'

const dir = mkdtempSync(join(tmpdir(), 'quoin-static-'))
afterAll(() => rmSync(dir, { recursive: true }))

const enode = { id: curve.publicKey(keyNumber(1)), ip: '127.0.0.1', tcpPort: 1, udpPort: 1 }
function file(content: string): string {
  const path = join(dir, 'static-nodes.json')
  writeFileSync(path, content)
  return path
}

describe('the static nodes file', () => {
  test('is a JSON array of enode URLs', () => {
    expect(readStaticNodes(file(JSON.stringify([formatEnode(enode)])), true)).toEqual([enode])
    expect(readStaticNodes(file('[]'), true)).toEqual([])
    expect(readStaticNodes(file(' \n'), true)).toEqual([])
  })

  test('may be missing unless it was asked for', () => {
    expect(readStaticNodes(join(dir, 'none.json'), false)).toEqual([])
    expect(() => readStaticNodes(join(dir, 'none.json'), true)).toThrow(/none\.json: does not exist/)
  })

  test.each([
    ['{}', 'not a JSON array'],
    ['[1]', 'Illegal static enode supplied (1)'],
    ['["enode://ab"]', 'Illegal static enode supplied (enode://ab)'],
    ['["enode', 'is not JSON'],
    [JSON.stringify([formatEnode({ ...enode, tcpPort: 0 })]), 'the port must not be 0'],
  ])('with %s is refused', (content, reason) => {
    expect(() => readStaticNodes(file(content), false)).toThrow(reason)
  })

  test('that is a folder is refused', () => expect(() => readStaticNodes(dir, false)).toThrow('cannot be read'))
})
