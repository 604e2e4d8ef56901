import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>
}

/** Where Node finds the package `name` from the one at `from`: in its own folder, else in one further out. */
function entryOf(name: string, from: string): Entry | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const entry = packages[folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`]
    if (entry || !folder) return entry
  }
}

const wanted = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
  Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, range]) => ({ from, name, range })),
)

// `npm ci` refuses a lock that lacks one, and npm writes no entry for what the registry did not show it that day.
test('package-lock.json has an entry for every dependency, also for those of other platforms', () => {
  expect(wanted.length).toBeGreaterThan(300)
  expect(wanted.filter(({ from, name }) => !entryOf(name, from)).map(({ from, name }) => `${from}: ${name}`)).toEqual(
    [],
  )
})

test('entries of other platforms have the version that is asked for, and say which platform that is', () => {
  const native = wanted.filter(({ range, from, name }) => /^\d+\.\d+\.\d+$/.test(range) && entryOf(name, from)?.cpu)
  expect(native.length).toBeGreaterThan(60)
  for (const { from, name, range } of native) {
    const entry = entryOf(name, from)!
    expect(entry, name).toMatchObject({ version: range, optional: true })
    const words = name.split(/[/-]/)
    expect(words, name).toEqual(expect.arrayContaining([...(entry.os ?? []), ...entry.cpu!]))
  }
})

test('no entry names a registry: each machine has its own', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
