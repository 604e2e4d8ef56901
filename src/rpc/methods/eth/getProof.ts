import { type Address, compareBytes, type Hash32, trimZeros } from '../../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt } from '../../../primitives/u256.ts'
import { findState } from '../../../query/findState.ts'
import type { AccountProof, SlotProof } from '../../../state/view.ts'
import type { Account } from '../../../types/account.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { magnitudeOf } from '../../calls/magnitude.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data, hash, slotKey } from '../../codecs/bytes.ts'
import type { Decoder } from '../../codecs/codec.ts'
import { listDecoder, listEncoder } from '../../codecs/list.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'

interface Result {
  readonly address: Address
  readonly account: Account
  readonly proof: AccountProof
}

const nodes = listEncoder(data)

const slotObject = record<SlotProof>('storage proof', (member) => [
  member('key', data, ({ slot }) => trimZeros(slot)),
  member('value', quantity, ({ value }) => bytesToBigInt(value)),
  member('proof', nodes, ({ proof }) => proof),
])

const proofObject = record<Result>('account proof', (member) => [
  member('accountProof', nodes, ({ proof }) => proof.proof),
  member('address', address, (result) => result.address),
  member('balance', quantity, ({ account }) => account.balance),
  member('codeHash', hash, ({ account }) => account.codeHash),
  member('nonce', quantity, ({ account }) => account.nonce),
  member('storageHash', hash, ({ account }) => account.storageRoot),
  member('storageProof', listEncoder(slotObject), ({ proof }) => proof.slots),
])

/** Unlike elsewhere, JSON numbers are accepted as slots. */
const key: Decoder<Hash32> = {
  schema: slotKey.schema,
  decode(json) {
    if (Number.isSafeInteger(json) && (json as number) >= 0) return bigIntToFixed(BigInt(json as number), 32) as Hash32
    if (typeof json !== 'string' || !/^(?:0x)?[0-9a-fA-F]{0,64}$/.test(json))
      throw invalidParams('a storage key must be hexadecimal of at most 32 bytes')
    return slotKey.decode(json)
  },
}

/** Maximum number of slots, as in geth: a proof of each may have kilobytes. */
const maxKeys = { max: 1024, what: 'storage keys' }

export const eth_getProof = method({
  name: 'eth_getProof',
  doc: 'Returns an account and the requested storage slots with their Merkle proofs.',
  needs: ['chain'],
  params: [param('address', address), param('keys', listDecoder(key, maxKeys)), param('block', blockRef)],
  result: proofObject,
  errors: [...blockErrors, [-32000, 'The account does not exist, or the state of the block is not available.']],
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', [], 'latest'],
  alike: ([, keys]) => magnitudeOf(Array.isArray(keys) ? keys.length : 0),
  handler({ chain }, [owner, keys, block]) {
    const state = findState(chain, requireHeader(chain, block))
    if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
    // As in Besu, slots are sorted and without duplicates.
    const distinct = new Map(keys.map((slot) => [String(slot), slot]))
    const proof = state.proof(owner, [...distinct.values()].sort(compareBytes))
    if (!proof.account) throw new RpcError({ code: 'ACCOUNT_NOT_FOUND' })
    return { address: owner, account: proof.account, proof }
  },
})
