import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

/** Paths in backquotes that begin in the repository; those with a placeholder or a star are patterns. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|test|bench|docs|scripts)\/[^`\s]*)`/g)]
    .map(([, path]) => path!)
    .filter((path) => !/[<*…]/.test(path))
}

const pages = [
  'CONTRIBUTING.md',
  'README.md',
  'test/README.md',
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true }),
]
  .map((name) =>
    String(name).includes('.md') && !existsSync(join(packageRoot, String(name)))
      ? join('docs', String(name))
      : String(name),
  )
  .filter((name) => name.endsWith('.md'))

test.each(pages)('%s names files that exist', (page) => {
  const missing = pathsIn(readFileSync(join(packageRoot, page), 'utf8')).filter(
    (path) => !existsSync(join(packageRoot, path)),
  )
  expect(missing).toEqual([])
})

test('the check itself sees a path that is not there', () => {
  expect(pathsIn('see `src/cli/main.ts`, `test/*.test.ts` and `src/nothing.ts`')).toEqual([
    'src/cli/main.ts',
    'src/nothing.ts',
  ])
})

test('docs/architecture.md has every decision', () => {
  const page = readFileSync(join(packageRoot, 'docs/architecture.md'), 'utf8')
  const missing = readdirSync(join(packageRoot, 'docs/adr')).filter((name) => !page.includes(`(adr/${name})`))
  expect(missing).toEqual([])
})
