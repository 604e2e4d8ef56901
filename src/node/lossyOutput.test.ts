import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLossyOutput } from './lossyOutput.ts'

test('lines that a full disk or a dead reader does not take are counted, and told of when there is room again', async () => {
  let isFull = false
  const taken: string[] = []
  const told: number[] = []
  // As standard output, which goes on after an error.
  const stream: Writable & { _undestroy?(): void } = new Writable({
    decodeStrings: false,
    destroy(error, done) {
      done(error)
      stream._undestroy?.()
    },
    write(line: string, _, done) {
      if (isFull) return done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
      taken.push(line)
      done()
    },
  })
  let ends = 0
  stream.on('error', () => ends++)
  const output = createLossyOutput(stream, (lines) => told.push(lines))
  const write = async (...lines: string[]) => {
    for (const line of lines) {
      output.write(line)
      await setImmediate()
    }
  }
  await write('a')
  isFull = true
  await write('b', 'c', 'd')
  expect(told).toEqual([])
  isFull = false
  await write('e', 'f')
  expect({ taken, told, ends }).toEqual({ taken: ['a', 'e', 'f'], told: [3], ends: 0 })
})
