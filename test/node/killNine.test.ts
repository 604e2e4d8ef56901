import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyBytes, type Hash32, zeroHash } from '../../src/primitives/bytes.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { encodeRlp } from '../../src/primitives/rlp.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import type { StateView } from '../../src/state/view.ts'
import { openStore } from '../../src/store/openStore.ts'
import { computeRoot } from '../../src/trie/computeRoot.ts'
import { encodeAccount } from '../../src/types/account.ts'
import { noChanges } from '../../src/types/stateChanges.ts'
import { withTempFolder } from '../support/tempStore.ts'
import { verifyProof } from '../support/verifyProof.ts'
import { sampled } from '../support/wholeRun.ts'
import { accountCount, addressOf, nonceAt, slot } from './killNine/blocks.ts'

const kills = sampled(10, 50)

// Node runs no TypeScript: the writer is taken from the build, which `npm test` makes first.
function spawnWriter(path: string): ChildProcess {
  const program = join(packageRoot, 'dist/test/node/killNine/main.js')
  return spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Lets the writer write for a random while after its first block and kills it wherever it is. */
async function runAndKill(writer: ChildProcess): Promise<void> {
  const ended = once(writer, 'exit')
  writer.stdin!.write('!')
  await Promise.race([once(writer.stdout!, 'data'), ended])
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
  writer.kill('SIGKILL')
  const [code, signal] = await ended
  expect([code, signal]).toEqual([null, 'SIGKILL'])
}

/** Root of all that the flat tables hold, storage roots included. */
function recomputeRoot(view: StateView): Hash32 {
  const { entries, next } = view.accountRange(zeroHash, accountCount)
  expect(next).toBe(undefined)
  return computeRoot(
    entries.map(({ hash, account }) => {
      const slots = view.storageRange(hash, zeroHash, 10).entries
      const storageRoot = computeRoot(slots.map(({ hash, value }) => [hash, encodeRlp(value)]))
      expect(storageRoot).toEqual(account.storageRoot)
      return [hash, encodeAccount({ ...account, storageRoot })]
    }),
  )
}

/** Opens what the killed writer left and looks at it from all sides; answers the head. */
async function inspect(path: string): Promise<number> {
  const store = openStore(path)
  const states = createStateStore(store)
  const snapshot = store.openSnapshot()
  try {
    const head = states.head(snapshot)
    if (head === undefined) return 0
    const view = states.at(snapshot, 'latest')
    expect(recomputeRoot(view)).toEqual(head.root)
    expect(states.rootOf(snapshot, noChanges)).toEqual(head.root)
    const past = Math.max(0, head.block - 8)
    for (let i = 0; i < accountCount; i += 37) {
      expect(view.account(addressOf(i))?.nonce).toEqual(nonceAt(i, head.block))
      expect(states.at(snapshot, past).account(addressOf(i))?.nonce).toEqual(nonceAt(i, past))
      const { account, proof } = states.at(snapshot, head.block).proof(addressOf(i), [slot])
      expect(verifyProof(head.root, keccak256(addressOf(i)), proof) ?? emptyBytes).toEqual(
        account ? encodeAccount(account) : emptyBytes,
      )
    }
    return head.block
  } finally {
    snapshot.close()
    await store.close()
  }
}

test(`a store whose writer is killed ${kills} times is at a whole block each time`, { timeout: 1_200_000 }, () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'database')
    let writer = spawnWriter(path)
    try {
      let head = 0
      for (let i = 0; i < kills; i++) {
        await once(writer.stdout!, 'data')
        const running = writer
        // The next one starts up meanwhile.
        writer = spawnWriter(path)
        await runAndKill(running)
        const reached = await inspect(path)
        // At least one block more is on disk: the writer said so.
        expect(reached).toBeGreaterThan(head)
        head = reached
      }
    } finally {
      writer.kill('SIGKILL')
    }
  }),
)
