import { type Address, type Hash32, zeroHash } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import { findState } from '../../../query/findState.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, hash, slotKey } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { rangeLimit } from '../../codecs/rangeLimit.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, type Param, param } from '../../protocol/method.ts'

interface AccountRange {
  readonly addresses: ReadonlyMap<string, Address | undefined>
  /** Zero if no accounts remain; undefined if the state is not available. */
  readonly next: Hash32 | undefined
}

const accountRangeObject = record<AccountRange>('account range', (member) => [
  member('addressMap', dictionary(nullable(address)), ({ addresses }) => addresses),
  member.optional('nextKey', hash, ({ next }) => next),
])

const nothing: AccountRange = { addresses: new Map(), next: undefined }

/** Undefined for an invalid or too long key, for which Besu returns no accounts. */
const startHash: Decoder<Hash32 | undefined> = {
  schema: slotKey.schema,
  decode(json) {
    try {
      return slotKey.decode(text.decode(json))
    } catch (error) {
      if (error instanceof RpcError) return undefined
      throw error
    }
  },
}

/** A required parameter whose value is ignored. */
const ignored: Param<unknown> = { name: 'txIndex', schema: {}, required: true, read: () => undefined }

export const debug_accountRange = method({
  name: 'debug_accountRange',
  doc:
    'Returns accounts after a block, in the order of their hashes, from a start hash on. The transaction index is ' +
    `ignored. At most ${rangeLimit} accounts; \`nextKey\` is the start hash of the next call, zero at the end. The address of an account that came by snap synchronisation and was not changed since is null.`,
  needs: ['chain'],
  params: [param('block', blockRef), ignored, param('address', startHash), param('limit', integer)],
  result: accountRangeObject,
  example: ['latest', 0, '0x0', 10],
  handler({ chain }, [ref, , start, limit]) {
    const found = 'hash' in ref ? chain.headerBy(ref.hash) : findHeader(chain, ref)
    const state = found && start && findState(chain, found)
    if (!state) return nothing
    const { entries, next } = state.accountRange(start, Math.min(limit < 0 ? 1 : limit, rangeLimit))
    const addresses = new Map(entries.map((entry) => [toHex(entry.hash), entry.address]))
    // With a negative limit, Besu returns one account and no next key.
    return { addresses, next: (limit < 0 ? undefined : next) ?? zeroHash }
  },
})
