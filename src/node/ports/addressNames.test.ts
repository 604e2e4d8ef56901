import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRecordedLogs } from '../../../test/support/recordedLogs.ts'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { createAddressNames } from './addressNames.ts'

const alice = '0xA11cE00000000000000000000000000000000000'
const lower = alice.toLowerCase()
let changes = 0

/** Writes the file, at a time of its own: some systems count in seconds. */
function write(file: string, text: string): void {
  writeFileSync(file, text)
  utimesSync(file, ++changes, changes)
}

test('names are read, and read again when the file changes', () =>
  withTempFolder((folder) => {
    const file = join(folder, 'names.json')
    const logs = createRecordedLogs()
    write(file, JSON.stringify({ [alice]: ' Treasury ' }))
    const names = createAddressNames(file, logs.child('names'))
    expect([...names.all()]).toEqual([[lower, 'Treasury']])
    write(file, JSON.stringify({ [alice]: 'Bank' }))
    expect([...names.all()]).toEqual([[lower, 'Bank']])
    expect(logs.lines()).toEqual([`info ${file} is read again: 1 names of addresses`])
  }))

test('a file that became invalid or went away changes nothing, and is named once', () =>
  withTempFolder((folder) => {
    const file = join(folder, 'names.json')
    const logs = createRecordedLogs()
    write(file, JSON.stringify({ [alice]: 'Bank' }))
    const names = createAddressNames(file, logs.child('names'))
    const kept = () => [names.all(), names.all()].map((all) => [...all])
    write(file, '{')
    expect(kept()).toEqual([[[lower, 'Bank']], [[lower, 'Bank']]])
    rmSync(file)
    expect(kept()).toEqual([[[lower, 'Bank']], [[lower, 'Bank']]])
    expect(logs.lines()).toEqual([
      `warn --address-names-file: ${file} is not JSON; the names of addresses stay as they were`,
      expect.stringMatching(
        /^warn --address-names-file: .* cannot be read \(ENOENT\); the names of addresses stay as they were$/,
      ),
    ])
    write(file, JSON.stringify({ [alice]: 'Club' }))
    expect([...names.all()]).toEqual([[lower, 'Club']])
  }))

test.each([
  ['[]', 'is not a JSON object'],
  ['{"alice": "Alice"}', "has 'alice', which is no address"],
  [JSON.stringify({ [alice]: 7 }), 'has no name of 1 to 64 characters'],
  [JSON.stringify({ [alice]: ' ' }), 'has no name of 1 to 64 characters'],
  [JSON.stringify({ [alice]: 'a'.repeat(65) }), 'has no name of 1 to 64 characters'],
])('a file %s is refused at the start', (text, problem) =>
  withTempFolder((folder) => {
    const file = join(folder, 'names.json')
    write(file, text)
    expect(() => createAddressNames(file, createRecordedLogs().child('names'))).toThrow(
      expect.objectContaining({ at: { code: 'FAILED', text: expect.stringContaining(problem) } }),
    )
  }),
)

test('a file that is not there is refused; without the option there are no names', () => {
  const log = createRecordedLogs().child('names')
  expect(() => createAddressNames('/nowhere/names.json', log)).toThrow(
    expect.objectContaining({ at: { code: 'FAILED', text: expect.stringContaining('cannot be read (ENOENT)') } }),
  )
  expect(createAddressNames(undefined, log).all().size).toBe(0)
})
