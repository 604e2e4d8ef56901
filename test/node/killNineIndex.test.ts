import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accountIndex } from '../../src/chain/accounts/accountIndex.ts'
import { readMark } from '../../src/chain/records.ts'
import { tokenIndex } from '../../src/chain/tokens/tokenIndex.ts'
import { verifyAccounts } from '../../src/chain/verify/verifyAccounts.ts'
import { verifyTokens } from '../../src/chain/verify/verifyTokens.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { openStore } from '../../src/store/openStore.ts'
import { withTempFolder } from '../support/tempStore.ts'
import { sampled } from '../support/wholeRun.ts'

const kills = sampled(2, 5)

// Node runs no TypeScript: the writer is taken from the build, which `npm test` makes first.
function spawnWriter(path: string): ChildProcess {
  const program = join(packageRoot, 'dist/test/node/killNineIndex/main.js')
  return spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Blocks that a writer makes before it may be killed: some were taken back then, and some merged. */
const minBlocks = 20

/** Lets the writer write for a random while and kills it wherever it is. */
async function runAndKill(writer: ChildProcess): Promise<void> {
  const ended = once(writer, 'exit')
  writer.stdin!.write('!')
  const made = new Promise<void>((resolve) => {
    let count = 0
    writer.stdout!.on('data', (dots: Buffer) => {
      count += dots.length
      if (count >= minBlocks) resolve()
    })
  })
  await Promise.race([made, ended])
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
  writer.kill('SIGKILL')
  const [code, signal] = await ended
  expect([code, signal]).toEqual([null, 'SIGKILL'])
}

/** Looks whether the index that the killed writer left is that of its chain; returns the head. */
async function inspect(path: string): Promise<number> {
  const store = openStore(join(path, 'database'))
  try {
    return store.read((reader) => {
      const head = readMark(reader, 'head')!.number
      for (const index of [accountIndex, tokenIndex]) expect(index.readRange(reader)).toEqual({ first: 0, last: head })
      const faults: string[] = []
      const report = { fault: (_: string, text: string) => void faults.push(text), progress() {} }
      verifyAccounts(reader, head, report)
      verifyTokens(reader, head, report)
      expect(faults).toEqual([])
      return head
    })
  } finally {
    await store.close()
  }
}

test(`the indexes are those of the chain each of the ${kills} times that its node is killed`, () =>
  withTempFolder(async (folder) => {
    let writer = spawnWriter(folder)
    try {
      for (let i = 0; i < kills; i++) {
        await once(writer.stdout!, 'data')
        const running = writer
        // The next one starts up meanwhile.
        writer = spawnWriter(folder)
        await runAndKill(running)
        expect(await inspect(folder)).toBeGreaterThan(0)
      }
    } finally {
      writer.kill('SIGKILL')
    }
  }))
