import type { Store } from '../../store/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { createSlices } from '../rebuild/slices.ts'
import { readMark } from '../records.ts'
import type { BlockIndex } from './blockIndex.ts'

export interface IndexerParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds between two lines that say how far it is. */
const reportEvery = 10_000

/** Adds the blocks to indexes that were imported while those were off, in the background; `stop` ends it. */
export function startIndexer({ store, clock, log }: IndexerParts, indexes: readonly BlockIndex[]): { stop(): void } {
  const slices = createSlices(clock)
  let reported = clock.now()
  let working: BlockIndex | undefined

  const logDone = ({ kind }: BlockIndex) => log.info({ what: kind.name }, '{what} of all blocks are indexed')

  const slice = (goOn: () => boolean): boolean =>
    store.write((txn) => {
      const index = indexes.find((one) => !one.isComplete(txn))
      if (working && working !== index) logDone(working)
      if (index && (working !== index || clock.now() >= reported + reportEvery)) {
        reported = clock.now()
        const about = { what: index.kind.name, ...index.readRange(txn)!, head: readMark(txn, 'head')!.number }
        log.info(about, 'indexing {what}: blocks {first} to {last} of {head} are indexed')
      }
      working = index
      index?.addMissing(txn, goOn)
      return index === undefined
    })

  const fail = (error: unknown) => log.error({ error: String(error) }, 'indexing failed')
  if (store.read((reader) => indexes.some((one) => !one.isComplete(reader)))) slices.run(slice, () => {}, fail)
  return { stop: slices.stop }
}
