import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

// A small fixed sample of what these commands do for as long as one likes. They need the build, which `npm test` makes first.
const program = join(packageRoot, 'dist/test/fuzz/main.js')

async function run(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk))
  const [code] = await ended
  return { code, output }
}

test.each([
  ['corruption', '8'],
  ['repair', '4'],
  ['rpc', '800'],
  ['p2p', '300'],
  ['genesis', '8'],
  ['sizes', '40'],
  ['contracts', '3'],
])('a fixed sample of %s inputs breaks no law', async (target, count) => {
  const { code, output } = await run(target, '--count', count, '--seed', '1')
  expect(output).toMatch(/\n\d+ passed, 0 failed\n$/)
  expect(code, output).toBe(0)
})
