import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { options } from '../config/options.ts'
import { packageRoot } from '../primitives/packageRoot.ts'
import { cliPage } from './docs.ts'

test('docs/cli.md is what `npm run docs` makes', () => {
  expect(readFileSync(join(packageRoot, 'docs/cli.md'), 'utf8')).toBe(cliPage())
})

test('names every option', () => {
  for (const name of Object.keys(options)) expect(cliPage()).toContain(`--${name}`)
})
