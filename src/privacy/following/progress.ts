import type { ChainView } from '../../chain/view.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { BlockKey } from '../../store/chainTables.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { GroupStates } from '../execution/groupStates.ts'
import type { LogNews } from '../execution/privateLogs.ts'
import { type GroupBehind, readCursor, readGroupsBehind, removeGroupCursor, writeCursor } from './cursors.ts'
import { createReach, type Reach } from './reach.ts'

export interface ProgressParts {
  readonly store: Store
  readonly groups: GroupStates
  readonly news: LogNews
  readonly clock: Clock
  readonly log: Logger
}

/** How far private transactions were executed: a position for all, and one of its own for each group that is behind. */
export interface Progress extends Reach {
  /** The last block whose private transactions were asked for; undefined before the first. */
  position(): BlockKey | undefined
  /** The last block that a group has executed. */
  reached(group: Uint8Array): number
  behindOf(group: Uint8Array): GroupBehind | undefined
  /** The one that has waited longest first. */
  allBehind(): readonly GroupBehind[]
  /** A group is at a block of its own from now on; the caller has stored it. */
  setBehind(one: GroupBehind): void
  /** A group is where all are; the caller has stored it. */
  setCaughtUp(group: Uint8Array): void
  /** Passes a block without private transactions. */
  pass(key: BlockKey): void
  /** A block was executed, and the position stored. */
  moveTo(key: BlockKey): void
  /** Goes back to the last block that is still canonical. */
  returnToCanonical(view: ChainView): void
}

/** Blocks without private transactions after which the position is stored. */
const storeEvery = 1000

export function createProgress({ store, groups, news, clock, log }: ProgressParts): Progress {
  const behind = store.read(readGroupsBehind)
  let position = store.read(readCursor)
  let stored = position?.number ?? 0

  const reached = (group: Uint8Array) => behind.get(keyOf(group))?.at ?? position?.number ?? -1
  const { reach, wake } = createReach(clock, reached)

  return {
    position: () => position,
    reached,
    reach,
    wake,
    behindOf: (group) => behind.get(keyOf(group)),
    allBehind: () => [...behind.values()],
    setBehind({ group, at }) {
      behind.delete(keyOf(group))
      behind.set(keyOf(group), { group, at })
    },
    setCaughtUp: (group) => void behind.delete(keyOf(group)),
    pass(key) {
      position = key
      wake()
      if (key.number - stored < storeEvery) return
      store.write((txn) => writeCursor(txn, key))
      stored = key.number
    },
    moveTo(key) {
      position = key
      stored = key.number
      wake()
    },
    returnToCanonical(view) {
      let key = position
      while (key && !view.isCanonical(key.hash)) {
        const { number } = key
        news.blockUndone(view, key, (group) => reached(group) >= number)
        const parent = view.headerBy(key.hash)?.header.parentHash
        key = parent && { number: number - 1, hash: parent }
      }
      if (key === position) return
      const number = key?.number ?? 0
      log.info({ block: number }, 'private state goes back to block {block}')
      store.write((txn) => {
        groups.unwind(txn, number)
        for (const { group, at } of behind.values()) if (at >= number) removeGroupCursor(txn, group)
        if (key) writeCursor(txn, key)
      })
      for (const [name, { at }] of behind) if (at >= number) behind.delete(name)
      stored = number
      position = key
    },
  }
}
