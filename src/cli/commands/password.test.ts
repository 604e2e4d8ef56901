import { compareSync } from 'bcryptjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

test.each(['correct horse', ''])('prints the hash of %j', async (password) => {
  const { code, stdout, stderr } = await cli.run(['password', 'hash', `--password=${password}`])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}\n$/)
  expect(compareSync(password, stdout.trim())).toBe(true)
})

test.each([
  [['password', 'hash'], "Missing required option: '--password=<password>'"],
  [['password', 'hash', 'p'], "Missing required option: '--password=<password>'"],
  [['password', 'hash', '--password'], "Missing required parameter for option '--password' (<password>)"],
  [['password', 'nonsense'], "Unmatched argument at index 1: 'nonsense'"],
])('%j is refused', async (args, want) => {
  const { code, stderr } = await cli.run(args)
  expect(code).toBe(2)
  expect(stderr).toContain(want)
})
