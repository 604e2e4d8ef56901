// `fill PATH`: writes blocks until the disk takes no more, twice, and prints the faults and the head that remains.
// `press PATH BALLAST COUNT`: writes rows of all sizes, while a file beside fills the rest of the disk and lets go of it again,
// until so many writes were refused; prints the faults and how many rows are not what was written.
// `check PATH`: opens what is left, compares it with what was written, goes on by one block and prints the head.
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { equalBytes } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { createStateStore } from '../../../src/state/stateStore.ts'
import { StoreError } from '../../../src/store/fault.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { publicState } from '../../../src/store/schema.ts'
import { noChanges } from '../../../src/types/stateChanges.ts'
import { createRandom } from '../../fuzz/random.ts'
import { accountCount, addressOf, changesOf, nonceAt } from '../killNine/blocks.ts'

const [, , mode, path] = process.argv
const store = openStore(path!)
const states = createStateStore(store)

function headBlock(): number {
  return store.read(states.head)?.block ?? 0
}

function write(block: number): void {
  store.write((txn) => states.commit(txn, block, changesOf(block)))
}

function fill(): string {
  for (let block = headBlock() + 1; ; block++) {
    try {
      write(block)
    } catch (error) {
      if (error instanceof StoreError) return error.at.code
      throw error
    }
  }
}

function check(): void {
  const block = store.read((reader) => {
    const { block, root } = states.head(reader)!
    if (!equalBytes(states.rootOf(reader, noChanges), root)) throw new Error('the root is wrong')
    const view = states.at(reader, 'latest')
    for (let i = 0; i < accountCount; i++)
      if (view.account(addressOf(i))?.nonce !== nonceAt(i, block)) throw new Error(`account ${i} is wrong`)
    return block
  })
  write(block + 1)
}

/** Writes what a random number says, and remembers what was acknowledged. */
function press(ballast: string, count: number): { faults: Record<string, number>; wrote: number; lost: number } {
  const random = createRandom(1)
  const acknowledged = new Map<number, number>()
  const faults: Record<string, number> = {}
  let refused = 0
  for (let number = 1; refused < count; number++) {
    if (number % 8 === 0) fillDisk(ballast, random.below(2 ** 21))
    const sizes = Array.from({ length: random.between(1, 6) }, () => random.below(random.pick([200, 5000, 60_000])))
    try {
      store.write((txn) => {
        for (const [i, size] of sizes.entries()) txn.put(publicState.slots, keyOf(number, i), random.bytes(32 + size))
      })
      acknowledged.set(number, sizes.length)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      faults[error.at.code] = (faults[error.at.code] ?? 0) + 1
      refused++
    }
  }
  const lost = store.read((reader) => {
    let missing = 0
    for (const [number, rows] of acknowledged)
      for (let i = 0; i < rows; i++) if (reader.peek(publicState.slots, keyOf(number, i)) === undefined) missing++
    return missing
  })
  return { faults, wrote: acknowledged.size, lost }
}

/** Keys that do not come in order. */
const keyOf = (number: number, row: number) => keccak256(Uint8Array.of(number >> 16, number >> 8, number, row))

/** Leaves so many bytes of the disk. */
function fillDisk(ballast: string, left: number): void {
  rmSync(ballast, { force: true })
  const { bavail, bsize } = statfsSync(path!)
  const all = Math.max(0, bavail * bsize - left)
  const file = openSync(ballast, 'w')
  const bytes = Buffer.alloc(1 << 16)
  try {
    for (let at = 0; at < all; ) at += writeSync(file, bytes, 0, Math.min(bytes.length, all - at), at)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

if (mode === 'press') {
  const result = press(process.argv[4]!, Number(process.argv[5]))
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
} else if (mode === 'fill') {
  const faults = [fill(), fill()]
  // With no room left even the note that the store is free again may not be written; the next to open it sees to that.
  process.stdout.write(`${JSON.stringify({ faults, head: headBlock() })}\n`, () => process.exit(0))
} else {
  check()
  process.stdout.write(`${JSON.stringify({ head: headBlock() })}\n`)
  await store.close()
}
