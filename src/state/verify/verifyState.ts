import { emptyBytes, equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import { blockNumberCodec } from '../../store/codec.ts'
import type { StateTables } from '../../store/schema.ts'
import type { Reader } from '../../store/table.ts'
import { createSpace } from '../space.ts'
import { createStateParts } from '../stateParts.ts'
import { checkPart, type Report } from './report.ts'
import { type StateRoot, verifyHistory } from './verifyHistory.ts'
import { rangeOf, verifyLatest } from './verifyLatest.ts'
import { verifyLists } from './verifyLists.ts'

export interface StateCheck {
  /** Empty for the chain's own state. */
  readonly group?: Uint8Array
  readonly tables?: StateTables
  /** The state root of a block, where blocks name it. */
  readonly rootOf?: (block: number) => Hash32 | undefined
  /** The block whose state must be there; undefined if any may be the newest. */
  readonly head?: number
}

/** Checks one state: its newest form, its history, and the roots that it names. */
export function verifyState(reader: Reader, check: StateCheck, report: Report): void {
  const { group = emptyBytes, tables, rootOf, head } = check
  const space = createSpace(group, tables)
  const parts = createStateParts(space)
  const { roots: rootTable, floor: floorTable } = space.tables
  const stored = reader.peek(floorTable, new Uint8Array([0, ...group]))
  const floor = stored ? blockNumberCodec.decode(stored) : 0
  const roots: StateRoot[] = []
  checkPart(report, rootTable.name, () => {
    for (const [key, root] of reader.range(rootTable, rangeOf(space))) {
      const block = space.blockIn(key)
      const want = rootOf?.(block)
      if (root.length !== 32 || (rootOf && (!want || !equalBytes(want, root))))
        report.fault(rootTable.name, `the root of block ${block} is not that of its header`)
      const expected = roots.length === 0 ? block : roots.at(-1)!.block + 1
      if (rootOf && block !== expected) report.fault(rootTable.name, `the root of block ${expected} is missing`)
      roots.push({ block, root: root as Hash32 })
    }
    if (head !== undefined && roots.at(-1)?.block !== head)
      report.fault(rootTable.name, `the root of block ${head} is missing`)
    if (rootOf && roots[0] && roots[0].block !== floor)
      report.fault(floorTable.name, `the oldest state is that of block ${roots[0].block}, not of block ${floor}`)
  })
  const newest = roots.at(-1)
  if (!newest) return
  checkPart(report, space.tables.accounts.name, () =>
    verifyLatest(parts, reader, { root: newest.root, isWhole: floor === 0 }, report),
  )
  let sound = true
  const watched: Report = {
    ...report,
    fault(table, text) {
      sound = false
      report.fault(table, text)
    },
  }
  verifyLists(space, reader, floor, watched)
  // Damaged lists would mislead readers of older states.
  if (sound)
    checkPart(report, space.tables.accountHistory.name, () => verifyHistory(parts, reader, roots, floor, report))
}
