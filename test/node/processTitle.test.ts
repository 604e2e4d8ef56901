import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

/** Starts a command that waits for its input; returns what other users of the machine see of it, once that has changed. */
async function seenArguments(args: readonly string[], until: (line: string) => boolean): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot, 'bin/quoin'), ...args, 'rlp', 'encode'])
  const seen = () => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
  try {
    await expect.poll(() => until(seen())).toBe(true)
    return seen()
  } finally {
    child.kill('SIGKILL')
  }
}

test.runIf(process.platform === 'linux')('a secret on the command line is overwritten', async () => {
  const line = await seenArguments(['--dev-mnemonic=word word word'], (seen) => !seen.includes('word'))
  expect(line).toMatch(/^quoin/)
})
