import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTraceFolder } from './traceFolder.ts'

const clock = { now: () => 7 }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-traces-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a trace is written into the folder of traces', () => {
  const file = createTraceFolder(folder, clock).create('block_0x12345678-0-0x12345678')
  file.write(Buffer.from('a'))
  file.write(Buffer.from('b'))
  file.close()
  expect(file.path).toBe(join(folder, 'traces', 'block_0x12345678-0-0x12345678-7'))
  expect(readFileSync(file.path, 'utf8')).toBe('ab')
})

test.each(['../escape', 'a/b', '/tmp/x', '.', 'a\0b', '..', 'x'.repeat(300)])('the name %j leads nowhere', (name) => {
  const traces = createTraceFolder(folder, clock)
  expect(() => traces.create(name)).toThrow(RangeError)
  expect(readdirSync(folder)).toEqual([])
})

test('a file or a link that is there is left alone', () => {
  const traces = createTraceFolder(folder, clock)
  const first = traces.create('first')
  first.write(Buffer.from('kept'))
  first.close()
  expect(() => traces.create('first')).toThrow()
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'kept')
  symlinkSync(outside, join(folder, 'traces', 'link-7'))
  expect(() => traces.create('link')).toThrow()
  expect([readFileSync(first.path, 'utf8'), readFileSync(outside, 'utf8')]).toEqual(['kept', 'kept'])
})

test('what is spilled can be read back, and is no file that others see', () => {
  const spill = createTraceFolder(folder, clock).openSpill()
  spill.append(Buffer.from('hello '))
  spill.append(Buffer.from('world'))
  expect(Buffer.from(spill.read(3, 5)).toString()).toBe('lo wo')
  expect(() => spill.read(8, 10)).toThrow(RangeError)
  expect(existsSync(join(folder, 'traces')) && readdirSync(join(folder, 'traces'))).toEqual([])
  spill.close()
})
