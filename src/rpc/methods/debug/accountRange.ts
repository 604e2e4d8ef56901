import { type Address, type Hash32, zeroHash } from '../../../primitives/bytes.ts'
import { toHex } from '../../../primitives/hex.ts'
import { findState } from '../../../query/findState.ts'
import { findHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, hash, slotKey } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { rangeLimit } from '../../codecs/rangeLimit.ts'
import { dictionary, record } from '../../codecs/record.ts'
import { text } from '../../codecs/text.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, type Param, param } from '../../protocol/method.ts'

interface AccountRange {
  readonly addresses: ReadonlyMap<string, Address>
  /** Zero when no accounts remain; undefined when there was nothing to look in. */
  readonly next: Hash32 | undefined
}

const accountRangeObject = record<AccountRange>('account range', (member) => [
  member('addressMap', dictionary(address), ({ addresses }) => addresses),
  member.optional('nextKey', hash, ({ next }) => next),
])

const nothing: AccountRange = { addresses: new Map(), next: undefined }

/** Besu answers a key that is none, or too long, as one below which there is nothing. */
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

/** Has its place among the parameters, but whatever is given there does not count. */
const ignored: Param<unknown> = { name: 'txIndex', schema: {}, required: true, read: () => undefined }

export const debug_accountRange = method({
  name: 'debug_accountRange',
  doc:
    'Accounts after a block in the order of their hashes, from one on. The index of a transaction has a place among the ' +
    `parameters but does not count. At most ${rangeLimit} accounts; \`nextKey\` is where to go on, zero at the end.`,
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
    // With a negative limit Besu gives one account and no more.
    return { addresses, next: (limit < 0 ? undefined : next) ?? zeroHash }
  },
})
