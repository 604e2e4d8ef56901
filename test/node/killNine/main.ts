// Writes blocks into the store at the given path as fast as it can, taking a few back now and then, until it is killed.
// Waits for a byte on standard input first, so that starting up costs the test no time.
import { createStateStore } from '../../../src/state/stateStore.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { changesOf } from './blocks.ts'

process.stdin.once('data', () => {
  const store = openStore(process.argv[2]!)
  const states = createStateStore(store)
  const write = (): void => {
    store.write((txn) => {
      const head = states.head(txn)?.block ?? 0
      // A reorganisation: blocks are taken back and others put in their place, in one transaction.
      const from = head > 20 && head % 7 === 0 ? head - 3 : head
      states.unwind(txn, from)
      for (let block = from + 1; block <= head + 1; block++) states.commit(txn, block, changesOf(block))
      if (head > 40) states.prune(txn, head - 30)
    })
    process.stdout.write('.')
    setImmediate(write)
  }
  write()
})
process.stdout.write('ready')
