import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { StoreError } from './fault.ts'
import { withFaults } from './withFaults.ts'

test.each([
  ['MDB_MAP_FULL: Environment mapsize limit reached', 'DISK_FULL', 1],
  ['No space left on device', 'DISK_FULL', 1],
  ['Input/output error', 'DISK_FAILED', 1],
  ['MDB_BAD_VALSIZE', undefined, 0],
])('%s is %s, and the line of LMDB is ended or not', (text, code, lines) => {
  let ended = 0
  let caught: unknown
  try {
    withFaults(
      tmpdir(),
      () => {
        throw new Error(text)
      },
      () => ended++,
    )
  } catch (error) {
    caught = error
  }
  expect(caught instanceof StoreError ? caught.at.code : undefined).toBe(code)
  expect(ended).toBe(lines)
})
