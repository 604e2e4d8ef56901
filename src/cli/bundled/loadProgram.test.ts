import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { codeCacheOf, loadProgram } from './loadProgram.ts'

const heard = globalThis as { heardOfProgram?: unknown }

/** Writes files of a program, runs `cli.cjs` and returns what it has left in a global, with the scripts of all files. */
function writeProgram(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    run() {
      const scripts = new Map<string, Script>()
      loadProgram(join(folder, 'cli.cjs'), (file, script) => scripts.set(file.slice(folder.length + 1), script))
      return { result: heard.heardOfProgram, scripts }
    },
  }
}

test('files load one another once, and what is outside of the program', () => {
  const { run, folder } = writeProgram({
    'cli.cjs': `const a = require('./a.cjs'), b = require('./b.cjs')
      globalThis.heardOfProgram = [a.name(), b.seen, __dirname, require('node:path').sep]`,
    'a.cjs': `exports.name = () => 'a of ' + require('./b.cjs').name; exports.early = 1`,
    'b.cjs': `exports.seen = require('./a.cjs').early; module.exports = { ...exports, name: 'b' }`,
  })
  const { result, scripts } = run()
  expect(result).toEqual(['a of b', 1, folder, '/'])
  expect([...scripts.keys()]).toEqual(['cli.cjs', 'a.cjs', 'b.cjs'])
})

test('code that was stored is used if it fits', () => {
  const { run, folder } = writeProgram({ 'cli.cjs': `globalThis.heardOfProgram = (() => 6 * 7)()` })
  const script = run().scripts.get('cli.cjs')!
  expect(script.cachedDataRejected).toBeUndefined()
  writeFileSync(codeCacheOf(join(folder, 'cli.cjs')), script.createCachedData())
  expect(run().scripts.get('cli.cjs')!.cachedDataRejected).toBe(false)
})

test.each([
  ['is cut off', (code: Buffer) => code.subarray(0, 20)],
  ['is something else', (code: Buffer) => Buffer.alloc(code.length)],
  ['is empty', () => Buffer.alloc(0)],
  ['is of another text', (code: Buffer) => code],
])('code that was stored and %s is made anew', (name, change) => {
  const other = writeProgram({ 'cli.cjs': '0' }).run().scripts.get('cli.cjs')!
  const { run, folder } = writeProgram({ 'cli.cjs': `globalThis.heardOfProgram = '${name}'` })
  writeFileSync(codeCacheOf(join(folder, 'cli.cjs')), change(other.createCachedData()))
  const { result, scripts } = run()
  expect(scripts.get('cli.cjs')!.cachedDataRejected).toBe(true)
  expect(result).toBe(name)
})

test('what a file throws comes to the caller', () => {
  expect(() => writeProgram({ 'cli.cjs': `throw new Error('no start')` }).run()).toThrow('no start')
  expect(() => writeProgram({ 'cli.cjs': `require('./missing.cjs')` }).run()).toThrow('missing.cjs')
})
