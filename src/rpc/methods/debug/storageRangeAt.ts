import type { ChainView, HashedBlock } from '../../../chain/view.ts'
import { type Address, type Hash32, padLeft } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import { keccak256 } from '../../../primitives/keccak.ts'
import type { Evms } from '../../../query/evms.ts'
import { findState } from '../../../query/findState.ts'
import type { Part, RangedSlot } from '../../../state/view.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { boolean } from '../../codecs/boolean.ts'
import { address, hash, slotKey } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { rangeLimit } from '../../codecs/rangeLimit.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { changedStorageRange } from '../../tracing/changedStorageRange.ts'
import { runFirst } from '../../tracing/insideBlock.ts'

const slotObject = record<RangedSlot>('slot', (member) => [
  member('key', nullable(hash), ({ slot }) => slot),
  member('value', hash, ({ value }) => padLeft(value, 32) as Hash32),
])

const storageRangeObject = record<Part<RangedSlot>>('storage range', (member) => [
  member('storage', dictionary(slotObject), ({ entries }) => new Map(entries.map((slot) => [toHex(slot.hash), slot]))),
  member.optional('nextKey', hash, ({ next }) => next),
  member('complete', boolean, ({ next }) => next === undefined),
])

const nothing: Part<RangedSlot> = { entries: [], next: undefined }

interface Wanted {
  readonly owner: Address
  readonly start: Hash32
  readonly limit: number
}

/** Slots before a transaction of the block; for an index after the last, as in Besu, those before the block. */
function slotsBefore(
  evms: Evms,
  chain: ChainView,
  hashed: HashedBlock,
  txIndex: number,
  { owner, start, limit }: Wanted,
): Part<RangedSlot> {
  if (txIndex >= hashed.block.transactions.length) {
    const parent = chain.parentOf(hashed.header)
    const state = parent && findState(chain, parent)
    return state?.storageRange(keccak256(owner), start, limit) ?? nothing
  }
  const slots = runFirst(evms, chain, hashed, txIndex, (evm, parentState) =>
    changedStorageRange(parentState, evm.changes(), owner, start, limit),
  )
  return slots ?? nothing
}

export const debug_storageRangeAt = method({
  name: 'debug_storageRangeAt',
  doc:
    'Returns the storage of an account before a transaction of a block, in the order of the slot hashes, from a start ' +
    `hash on. At most ${rangeLimit} slots; \`nextKey\` is the start hash of the next call. A slot that came by snap synchronisation and was not changed since has no key.`,
  needs: ['chain', 'evms'],
  params: [
    param('block', blockRef),
    param('txIndex', integer),
    param('address', address),
    param('startKey', slotKey),
    param('limit', integer),
  ],
  result: storageRangeObject,
  example: ['latest', 0, '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', '0x0', 10],
  handler({ chain, evms }, [ref, txIndex, owner, start, limit]) {
    if (txIndex < 0) throw invalidParams('the index must not be negative')
    const found = 'hash' in ref ? chain.headerBy(ref.hash) : findHeader(chain, ref)
    const hashed = found && chain.blockBy(found.hash)
    if (!hashed) return nothing
    const wanted = { owner, start, limit: Math.min(Math.max(limit, 0), rangeLimit) }
    return slotsBefore(evms, chain, hashed, txIndex, wanted)
  },
})
