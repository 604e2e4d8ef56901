// `fill PATH`: writes blocks until the disk takes no more, twice, and prints the faults and the head that remains.
// `check PATH`: opens what is left, compares it with what was written, goes on by one block and prints the head.
import { equalBytes } from '../../src/primitives/bytes.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import { StoreError } from '../../src/store/fault.ts'
import { openStore } from '../../src/store/openStore.ts'
import { noChanges } from '../../src/types/stateChanges.ts'
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

if (mode === 'fill') {
  const faults = [fill(), fill()]
  // With no room left even the note that the store is free again may not be written; the next to open it sees to that.
  process.stdout.write(`${JSON.stringify({ faults, head: headBlock() })}\n`, () => process.exit(0))
} else {
  check()
  process.stdout.write(`${JSON.stringify({ head: headBlock() })}\n`)
  await store.close()
}
