import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { isWholeRun, sampled } from '../support/wholeRun.ts'

// A small fixed sample of what these commands do for as long as one likes, smaller still in the usual run. They need the build, which `npm test` makes first.
const program = join(packageRoot, 'dist/test/fuzz/main.js')

async function run(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output += chunk))
  const [code] = await ended
  return { code, output }
}

test.each<readonly [string, number]>([
  ['corruption', sampled(2, 8)],
  ['repair', sampled(1, 4)],
  ['rpc', sampled(30, 800)],
  ['genesis', sampled(2, 8)],
  ['sizes', sampled(10, 40)],
  ['tokens', sampled(1, 5)],
  // With validators in processes of their own.
  ...(isWholeRun
    ? ([
        ['p2p', 300],
        ['contracts', 3],
      ] as const)
    : []),
])('a fixed sample of %s inputs breaks no law', async (target, count) => {
  const { code, output } = await run(target, '--count', String(count), '--seed', '1')
  expect(output).toMatch(/\n\d+ passed, 0 failed\n$/)
  expect(code, output).toBe(0)
})
