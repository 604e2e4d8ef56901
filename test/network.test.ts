import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { freePort } from './support/freePort.ts'
import { withTempFolder } from './tempStore.ts'

const lineOf = (node: number) => new RegExp(`^ +node${node} .* block (\\d+)`, 'gm')

/** Runs `quoin network` until both nodes have shown a block beyond `height`, then ends it as Ctrl+C does. */
async function run(dir: string, basePort: number, height: number): Promise<{ code: unknown; height: number }> {
  const args = ['network', '--validators=2', `--dir=${dir}`, `--base-port=${basePort}`]
  const child = spawn(process.execPath, [join(packageRoot, 'bin/quoin'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  let reached = 0
  let told = false
  for await (const chunk of child.stdout) {
    output += chunk
    const heights = [0, 1].map((i) => Math.max(...[...output.matchAll(lineOf(i))].map(([, block]) => Number(block))))
    reached = Math.min(...heights)
    if (reached > height && !told) told = child.kill('SIGINT')
  }
  const [code] = await ended
  return { code, height: reached }
}

test(
  'a network of validators starts with one command, ends in order and goes on where it was',
  { timeout: 120_000 },
  () =>
    withTempFolder(async (folder) => {
      const dir = join(folder, 'net')
      const basePort = Math.min(await freePort(), 60_000)
      const first = await run(dir, basePort, 0)
      expect(first.code).toBe(0)
      const second = await run(dir, basePort, first.height)
      expect(second.code).toBe(0)
      expect(second.height).toBeGreaterThan(first.height)
    }),
)
