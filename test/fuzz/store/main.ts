// Blocks of random sizes written into a store of their own, as a validator under load does it, until so many are written:
// node main.js FOLDER SEED BLOCKS. A process of its own, because the library behind the store ends a process in which it
// finds a fault.
import type { Hash32 } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { bodies, receipts, type TxKey, transactions } from '../../../src/store/chainTables.ts'
import { mappedBytes } from '../../../src/store/mappedBytes.ts'
import { openStore } from '../../../src/store/openStore.ts'
import type { Snapshot, Transaction } from '../../../src/store/table.ts'
import { createRandom } from '../random.ts'

const [folder, seed, blocks] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const random = createRandom(seed)
const maxMapped = mappedBytes() + random.between(4, 32) * 2 ** 20
/** Of a hundred blocks: both make the library look its free pages up again, so that not every run has them. */
const [undone, closed] = [random.pick([0, 0, 3]), random.pick([0, 0, 1])]
let store = openStore(folder, { maxMapped })

interface Block {
  /** Rises from block to block: hashes are made from it. */
  readonly turn: number
  /** Transactions. */
  readonly count: number
}

/** What the store has to hold. */
const written: Block[] = []
const record = { number: 0, hash: new Uint8Array(32) as Hash32 }

function hashesOf({ turn, count }: Block): Hash32[] {
  return Array.from({ length: count }, (_, index) => keccak256(Buffer.from(`${turn} ${index}`)))
}

const blockKey = (number: number) => ({ number, hash: record.hash })

function putBlock(txn: Transaction, number: number, block: Block): void {
  for (const [index, hash] of hashesOf(block).entries()) txn.put(transactions, hash, { number, index })
  txn.put(bodies, blockKey(number), new Uint8Array(100 + block.count * 120))
  txn.put(receipts, blockKey(number), new Uint8Array(50 + block.count * 85))
}

function dropBlock(txn: Transaction): void {
  const number = written.length
  for (const hash of hashesOf(written[number - 1]!)) txn.remove(transactions, hash)
  txn.remove(bodies, blockKey(number))
  txn.remove(receipts, blockKey(number))
}

/** Compares some blocks, or all, with what was written. */
function check(numbers: Iterable<number>): void {
  const reader = store.openSnapshot()
  for (const number of numbers) {
    const block = written[number - 1]!
    if (reader.get(bodies, blockKey(number))?.length !== 100 + block.count * 120) throw new Error(`body ${number}`)
    for (const [index, hash] of hashesOf(block).entries()) {
      const place: TxKey | undefined = reader.get(transactions, hash)
      if (place?.number !== number || place.index !== index) throw new Error(`transaction ${index} of ${number}`)
    }
  }
  reader.close()
}

class Undone extends Error {}

const held: { readonly snapshot: Snapshot; readonly until: number }[] = []
for (let turn = 0; written.length < blocks; turn++) {
  const block = { turn, count: random.percent(15) ? 0 : random.below(2200) }
  for (let times = random.below(4); times > 0; times--)
    store.write((txn) => txn.put(bodies, record, new Uint8Array(200 + (times - 1) * block.count * 130)))
  const isUndone = random.percent(undone)
  try {
    store.write((txn) => {
      putBlock(txn, written.length + 1, block)
      if (isUndone) throw new Undone()
    })
    written.push(block)
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  if (random.percent(2) && written.length > 0) {
    store.write(dropBlock)
    written.pop()
  }
  if (random.percent(60)) held.push({ snapshot: store.openSnapshot(), until: turn + random.below(4) })
  for (const { snapshot } of held.filter(({ until }) => until <= turn)) snapshot.close()
  held.splice(0, held.length, ...held.filter(({ until }) => until > turn))
  if (random.percent(10) && written.length > 0) check([random.between(1, written.length)])
  if (random.percent(closed)) {
    for (const { snapshot } of held.splice(0)) snapshot.close()
    await store.close()
    store = openStore(folder, { maxMapped })
  }
}
for (const { snapshot } of held) snapshot.close()
check(written.map((_, i) => i + 1))
await store.close()
