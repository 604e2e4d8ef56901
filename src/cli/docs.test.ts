import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { options } from '../config/options.ts'
import { packageRoot } from '../primitives/packageRoot.ts'
import { besuOptionsPage, cliPage } from './docs.ts'

test.each([
  ['docs/cli.md', cliPage],
  ['docs/besu-options.md', besuOptionsPage],
])('%s is what `npm run docs` makes', (file, page) => {
  expect(readFileSync(join(packageRoot, file), 'utf8')).toBe(page())
})

test('names every option', () => {
  for (const name of Object.keys(options)) expect(cliPage()).toContain(`--${name}`)
})
