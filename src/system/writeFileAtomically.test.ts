import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileAtomically } from './writeFileAtomically.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quoin-write-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('replaces what was there and leaves nothing else', () => {
  writeFileSync(join(dir, 'f'), 'old and longer')
  writeFileAtomically(join(dir, 'f'), 'new')
  expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('new')
  expect(readdirSync(dir)).toEqual(['f'])
})

test('a failure leaves what was there and nothing else', () => {
  mkdirSync(join(dir, 'f'))
  expect(() => writeFileAtomically(join(dir, 'f'), 'new')).toThrow()
  expect(readdirSync(dir)).toEqual(['f'])
})
