import type { Address } from '../../primitives/bytes.ts'
import { accountRows } from '../../store/chainTables.ts'
import type { Reader } from '../../store/table.ts'
import type { Appearance } from '../view.ts'
import { accountIndex } from './accountIndex.ts'
import { indexesOf } from './accountsIn.ts'

type Order = 'ascending' | 'descending'

const maxBlock = 2 ** 47

/** The appearances in one row, ascending. */
function appearancesIn(first: number, places: readonly number[]): readonly Appearance[] {
  const found: { blockNumber: bigint; indexes: number[] }[] = []
  let offset: number | undefined
  for (let i = 0; i < places.length; i += 2) {
    if (places[i] === offset) found.at(-1)!.indexes.push(places[i + 1]!)
    else found.push({ blockNumber: BigInt(first + places[i]!), indexes: [places[i + 1]!] })
    offset = places[i]
  }
  return found
}

/** The rows of an account that may have blocks from `from` on: one row also has blocks after that of its key. */
function rowsOf(reader: Reader, address: Address, from: number, order: Order) {
  const below = { from: { address, number: from }, to: { address, number: 0 }, reverse: true }
  if (order === 'descending') return reader.range(accountRows, below)
  let first = from
  for (const [{ number }] of reader.range(accountRows, { ...below, limit: 1 })) first = number
  return reader.range(accountRows, { from: { address, number: first }, to: { address, number: maxBlock } })
}

function* findMerged(reader: Reader, address: Address, from: number, order: Order): Iterable<Appearance> {
  for (const [{ number }, places] of rowsOf(reader, address, from, order)) {
    const found = appearancesIn(number, places)
    if (order === 'ascending') yield* found.filter(({ blockNumber }) => blockNumber >= from)
    else yield* found.filter(({ blockNumber }) => blockNumber <= from).reverse()
  }
}

function* findWaiting(reader: Reader, address: Address, from: number, order: Order): Iterable<Appearance> {
  for (const { number, packed } of accountIndex.readWaiting(reader, from, order === 'descending')) {
    const indexes = indexesOf(packed, address)
    if (indexes.length > 0) yield { blockNumber: BigInt(number), indexes }
  }
}

/**
 * Where an account appears, from a block on: blocks that wait to be merged come after all others. Rows may still have blocks that are
 * not kept any more.
 */
export function* findAppearances(reader: Reader, address: Address, from: number, order: Order): Iterable<Appearance> {
  const first = accountIndex.readMergedRange(reader)?.first ?? 0
  if (order === 'descending') {
    yield* findWaiting(reader, address, from, order)
    for (const one of findMerged(reader, address, from, order)) {
      if (one.blockNumber < first) return
      yield one
    }
    return
  }
  yield* findMerged(reader, address, Math.max(from, first), order)
  yield* findWaiting(reader, address, from, order)
}
