import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { createCompilers } from './compilers.ts'
import { runCompiler } from './runCompiler.ts'
import { compareVersions, parseVersion } from './solcVersion.ts'

const soljson = createRequire(import.meta.url).resolve('solc/soljson.js')
const limits = { time: 60_000, memory: 2048 }
const version = { numbers: '0.8.30', commit: '73712a01' }
const input = JSON.stringify({
  language: 'Solidity',
  sources: { 'C.sol': { content: 'contract C {}' } },
  settings: { outputSelection: { '*': { '*': ['abi'] } } },
})

/** Writes a program with the name of a compiler; returns its path. */
function program(folder: string, name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

test('a compiler of WebAssembly runs in a thread', async () => {
  const { version: found, output } = await runCompiler({ kind: 'soljson', path: soljson, version }, input, limits)
  expect(parseVersion(found)).toEqual(version)
  expect(JSON.parse(output)).toMatchObject({ contracts: { 'C.sol': { C: { abi: [] } } } })
})

test('a program is asked for its version and given its input, in an empty folder and without the environment', () =>
  withTempFolder(async (folder) => {
    process.env['QUOIN_TEST_SECRET'] = 'secret'
    const path = program(
      folder,
      'solc-0.8.30',
      'if [ "$1" = --version ]; then echo "Version: 0.8.30+commit.73712a01.Linux.g++"; else cat; ls -A; env; fi',
    )
    const { version: found, output } = await runCompiler({ kind: 'native', path, version }, 'what it got\n', limits)
    delete process.env['QUOIN_TEST_SECRET']
    expect(parseVersion(found)).toEqual(version)
    expect(output).toMatch(/^what it got\n\w+=/)
    expect(output).not.toContain('secret')
  }))

test.each([
  [
    'runs for ever',
    'if [ "$1" != --version ]; then while :; do :; done; fi',
    { time: 500, memory: 2048 },
    'more than 0.5 seconds',
  ],
  [
    'waits for ever',
    'if [ "$1" != --version ]; then exec sleep 1000; fi',
    { time: 50, memory: 2048 },
    'more than 0.05 seconds',
  ],
  ['fails', 'exit 3', limits, 'code 3'],
  ['is killed', 'if [ "$1" != --version ]; then kill -9 $$; fi', limits, 'SIGKILL'],
])('a program that %s is given up', (_, script, given, reason) =>
  withTempFolder(async (folder) => {
    const path = program(folder, 'solc-0.8.30', script)
    await expect(runCompiler({ kind: 'native', path, version }, input, given)).rejects.toThrow(reason)
  }),
)

test('one that takes too much memory is given up', async () => {
  const running = runCompiler({ kind: 'soljson', path: soljson, version }, input, { time: 60_000, memory: 1 })
  await expect(running).rejects.toThrow('more than 1 MB of memory')
})

test('one of WebAssembly that takes too long is given up', async () => {
  const running = runCompiler({ kind: 'soljson', path: soljson, version }, input, { time: 1, memory: 2048 })
  await expect(running).rejects.toThrow('more than 0.001 seconds')
})

test('compilers are found by the names that releases, svm and npm give them', () =>
  withTempFolder(async (folder) => {
    const write = (name: string, mode = 0o644, text = '') => {
      const path = join(folder, name)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
      chmodSync(path, mode)
    }
    write('soljson-v0.5.17+commit.d19bba13.js')
    write('solc-linux-amd64-v0.5.17+commit.d19bba13', 0o755)
    write('solc-linux-amd64-v0.6.12+commit.27d51765')
    write('0.7.6/solc-0.7.6', 0o755)
    write('node_modules/old/package.json', 0o644, '{"name":"solc","version":"0.4.26"}')
    write('node_modules/old/soljson.js')
    write('node_modules/other/package.json', 0o644, '{"name":"other","version":"0.8.1"}')
    write('list.json')
    write('notes-0.8.9.txt')
    const compilers = createCompilers(folder)
    const own = compilers.list().filter(({ path }) => path.startsWith(folder))
    expect(own.map(({ kind, version: { numbers, commit } }) => [kind, numbers, commit])).toEqual([
      ['native', '0.7.6', undefined],
      ['native', '0.5.17', 'd19bba13'],
      ['soljson', '0.5.17', 'd19bba13'],
      ['soljson', '0.4.26', undefined],
    ])
    expect(compilers.of({ numbers: '0.5.17', commit: '00000000' })).toEqual([])
    expect(compilers.of({ numbers: '0.7.6', commit: '7338295f' })).toHaveLength(1)
    // Npm's own, where it is installed.
    expect(createCompilers(undefined).list()).toMatchObject([{ kind: 'soljson', path: soljson }])
    expect(createCompilers(join(folder, 'nothing')).list()).toHaveLength(1)
  }))

test('versions are compared as numbers', () => {
  const sorted = ['0.4.26', '0.8.9', '0.8.10', '0.10.0'].map((numbers) => ({ numbers }))
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted)
  expect(parseVersion('v0.8.31-nightly.2025.8.11+commit.635fe8f8')).toEqual({
    numbers: '0.8.31-nightly.2025.8.11',
    commit: '635fe8f8',
  })
})
