import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { encryptKeystore } from '../../src/keys/keystore.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { type Authority, authorities } from '../support/authorityChain.ts'
import { freePort } from '../support/freePort.ts'
import { withTempFolder } from '../support/tempStore.ts'

// What a core dump would have.

const program = join(packageRoot, 'dist/src/cli/main.js')
const [{ key }] = authorities(1) as [Authority]
const digits = toHex(key).slice(2)
// Not among the words of a program.
const password = 'vq7Zr2-lamplight-TTk93'

let child: ChildProcess | undefined
afterEach(() => void child?.kill('SIGKILL'))

/** How often each of these is in the memory of a process. */
function countInMemory(pid: number, wanted: Readonly<Record<string, Uint8Array>>): Record<string, number> {
  const counts = Object.fromEntries(Object.keys(wanted).map((name) => [name, 0]))
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const block = Buffer.alloc(1 << 24)
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    if (from === undefined) continue
    for (let at = BigInt(`0x${from}`), end = BigInt(`0x${to}`); at < end; at += BigInt(block.length)) {
      const length = Math.min(block.length, Number(end - at))
      let part: Buffer
      try {
        part = block.subarray(0, readSync(memory, block, 0, length, at))
      } catch {
        continue
      }
      for (const [name, bytes] of Object.entries(wanted))
        for (let i = part.indexOf(bytes); i >= 0; i = part.indexOf(bytes, i + 1)) counts[name]!++
    }
  }
  closeSync(memory)
  return counts
}

async function startServer(folder: string, record: string, ...more: string[]): Promise<number> {
  const args = ['key-server', `--key-file=${join(folder, 'key')}`, `--record=${join(folder, record)}`]
  const all = [program, ...args, '--new-record=0', `--port=${await freePort()}`, ...more]
  child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const text of child.stdout!) if (String(text).includes('key server started')) break
  return child.pid!
}

async function end(): Promise<void> {
  child!.kill('SIGKILL')
  await once(child!, 'exit')
}

const wanted = { key, digits: Buffer.from(digits), password: Buffer.from(password) }

test.runIf(process.platform === 'linux')(
  'a process that has read a key has the key, and nothing that it was read from',
  () =>
    withTempFolder(async (folder) => {
      writeFileSync(join(folder, 'password'), `${password}\n`)
      writeFileSync(
        join(folder, 'key'),
        await encryptKeystore(key, Buffer.from(password), undefined, { n: 2, r: 8, p: 1 }),
      )
      const encrypted = countInMemory(
        await startServer(folder, 'one', `--password-file=${join(folder, 'password')}`),
        wanted,
      )
      await end()
      expect(encrypted).toMatchObject({ digits: 0, password: 0 })
      // The search finds what is there.
      expect(encrypted['key']).toBeGreaterThan(0)
      writeFileSync(join(folder, 'key'), digits)
      const open = countInMemory(await startServer(folder, 'other'), wanted)
      await end()
      expect(open).toMatchObject({ digits: 0, password: 0 })
      expect(open['key']).toBeGreaterThan(0)
    }),
)
