import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { packageRoot } from '../src/primitives/packageRoot.ts'

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

/** Files that `npm pack` would put into the package. */
function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: packageRoot, encoding: 'utf8' })) as Packed[]
  return packed!.files.map(({ path }) => path)
}

/** Compiled modules that the program and its threads load, by their paths in the package. */
function loadedModules(entries: readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...entries]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const { importedFiles } = ts.preProcessFile(readFileSync(join(packageRoot, path), 'utf8'), true, true)
    for (const { fileName } of importedFiles)
      if (fileName.startsWith('.')) open.push(posix.join(posix.dirname(path), fileName))
  }
  return found
}

// The package is what was built last: `npm test` builds first.
test.runIf(existsSync(join(packageRoot, 'dist/src/cli/main.js')))('the package has what runs, and nothing else', () => {
  const packed = packedFiles().filter((path) => path.startsWith('dist/'))
  const workers = packed.filter((path) => /Worker\.js$/.test(path))
  expect(workers.length).toBeGreaterThan(0)
  const loaded = loadedModules(['dist/src/cli/main.js', ...workers])
  expect(packed.filter((path) => !loaded.has(path)).filter((path) => !isTypesOnly(path))).toEqual([])
  expect([...loaded].filter((path) => !packed.includes(path))).toEqual([])
})

/** Interfaces alone compile to a module without code, which nobody loads. */
function isTypesOnly(path: string): boolean {
  return /^(export \{\};?\s*)?$/.test(readFileSync(join(packageRoot, path), 'utf8'))
}
