import { meta } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { Reader, Transaction } from '../../store/table.ts'
import type { Logger } from '../../system/logger.ts'

// A database that was restored, or repaired without its record, does not know what its validator has signed since. All of that is for
// blocks on heads of the time before: on a head that was made later, nothing can have been signed.

const markKey = 'restored'
/** Seconds by which the clock of who made a block may be ahead. */
const tolerance = 15n

/** Notes that what was signed until now is not known. */
export function markRestored(txn: Transaction, milliseconds: number): void {
  const value = new Uint8Array(8)
  new DataView(value.buffer).setBigUint64(0, BigInt(Math.floor(milliseconds / 1000)) + tolerance)
  txn.put(meta, markKey, value)
}

/** Takes the mark away: an operator has said that nothing was signed. */
export function removeRestoredMark(txn: Transaction): void {
  txn.remove(meta, markKey)
}

/** The timestamp that a head has to be after before anything is signed on it; 0 without a mark. */
export function signsAfter(store: Pick<Store, 'read'>): bigint {
  return store.read(readMark)
}

function readMark(reader: Reader): bigint {
  const value = reader.get(meta, markKey)
  return value ? new DataView(value.buffer, value.byteOffset).getBigUint64(0) : 0n
}

/** Says why a validator signs nothing yet. */
export function warnOfWaiting(log: Logger, after: bigint): void {
  log.warn(
    { after: new Date(Number(after) * 1000).toISOString() },
    'this database was restored, and what the validator has signed since its backup is not known: it signs nothing until the network has made ' +
      'a block after {after}. If the whole network was restored, stop the nodes and run quoin restore --may-sign on each of them',
  )
}
