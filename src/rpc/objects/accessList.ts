import type { AccessList } from '../../types/transaction.ts'
import { address, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { record } from '../codecs/record.ts'

const hashes = listEncoder(hash)

/** An access list (EIP-2930). */
export const accessListObject = listEncoder<AccessList[number]>(
  record('access list entry', (member) => [
    member('address', address, (entry) => entry.address),
    member('storageKeys', hashes, (entry) => entry.slots),
  ]),
)
