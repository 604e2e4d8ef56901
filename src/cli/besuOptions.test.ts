import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCliHarness } from '../../test/support/cliHarness.ts'
import { besuNames } from '../config/besuNames.ts'
import { unsupported } from '../config/unsupported.ts'
import { main } from './commands.ts'
import { parseArgs } from './parseArgs.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

test('no option of Besu is unknown on the command line', () => {
  for (const { name } of besuNames) expect(parseArgs([`--${name}=x`], main, unsupported).given[0]?.size, name).toBe(1)
})

test('no option of Besu is unknown in a configuration file', async () => {
  cli.write('c.toml', besuNames.map(({ name }) => `${name}=1\n`).join(''))
  const { stdout } = await cli.run(['validate-config', '--config-file={dir}/c.toml'])
  expect(stdout).toContain('expected a list, as in bootnodes=')
  expect(stdout).not.toContain('Unknown option')
})
