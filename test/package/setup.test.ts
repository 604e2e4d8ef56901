import { expect, test } from 'vitest'

interface Setup {
  npmCommand(
    env: Readonly<Record<string, string>>,
    platform: string,
  ): { readonly program: string; readonly args: readonly string[]; readonly shell: boolean }
}

// Plain JavaScript: it runs before TypeScript is installed.
const path = '../../scripts/setup.mjs'
const { npmCommand } = (await import(path)) as Setup

test('npm is started by the Node that runs, if npm says where it is', () => {
  const cli = 'C:\\node\\node_modules\\npm\\bin\\npm-cli.js'
  const own = { program: process.execPath, args: [cli], shell: false }
  expect(npmCommand({ npm_execpath: cli }, 'win32')).toEqual(own)
})

test('without npm’s word, or under another package manager, it is looked for; Windows needs a shell for that', () => {
  expect(npmCommand({}, 'win32')).toEqual({ program: 'npm.cmd', args: [], shell: true })
  expect(npmCommand({ npm_execpath: '/usr/lib/yarn.js' }, 'linux')).toEqual({ program: 'npm', args: [], shell: false })
})
