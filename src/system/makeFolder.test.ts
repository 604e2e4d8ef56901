import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from './makeFolder.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quoin-folder-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('makes all folders that are missing, with the mode', () => {
  makeFolder(join(dir, 'a/b/c'), 0o700)
  makeFolder(join(dir, 'a/b/c'), 0o700)
  if (process.platform !== 'win32') expect(statSync(join(dir, 'a/b')).mode & 0o777).toBe(0o700)
  expect(statSync(join(dir, 'a/b/c')).isDirectory()).toBe(true)
})

test('names the folder that cannot be made', () => {
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeFolder(join(dir, 'file/x/y'))).toThrow(`Cannot create the folder ${join(dir, 'file/x')}: ENOTDIR`)
})

test.runIf(process.platform === 'linux')(
  'returns where the system refuses folders in a way that Node tries forever',
  () => {
    expect(() => makeFolder('/proc/quoin/database')).toThrow('Cannot create the folder /proc/quoin: ENOENT')
  },
)
