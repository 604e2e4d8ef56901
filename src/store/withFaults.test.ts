import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { withFaults } from './withFaults.ts'

test.each([
  ['MDB_MAP_FULL: Environment mapsize limit reached', 'DISK_FULL', 1],
  ['No space left on device', 'DISK_FULL', 1],
  ['Input/output error', 'DISK_FAILED', 1],
  ['MDB_BAD_VALSIZE', 'MDB_BAD_VALSIZE', 0],
])('%s is %s, and LMDB has left a line open or not', (text, message, lines) => {
  let ended = 0
  const fail = () => {
    throw new Error(text)
  }
  expect(() => withFaults(tmpdir(), fail, () => ended++)).toThrow(message)
  expect(ended).toBe(lines)
})
