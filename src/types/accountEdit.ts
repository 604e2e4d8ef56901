import type { Address, Hash32 } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList } from '../primitives/rlp.ts'
import { bigIntToBytes, bytesToBigInt } from '../primitives/u256.ts'

/** A change of an account that no transaction makes; what is undefined stays as it is. */
export interface AccountEdit {
  readonly address: Address
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly code?: Uint8Array | undefined
  readonly slot?: { readonly key: Hash32; readonly value: Hash32 } | undefined
}

const optional = (bytes: Uint8Array | undefined): RlpItem => (bytes ? [bytes] : [])

/** Encodes edits; equal edits have equal bytes. */
export function encodeEdits(edits: readonly AccountEdit[]): Uint8Array {
  return encodeRlp(
    edits.map(({ address, balance, nonce, code, slot }) => [
      address,
      optional(balance === undefined ? undefined : bigIntToBytes(balance)),
      optional(nonce === undefined ? undefined : bigIntToBytes(nonce)),
      optional(code),
      slot ? [slot.key, slot.value] : [],
    ]),
  )
}

/** Decodes what `encodeEdits` made. */
export function decodeEdits(bytes: Uint8Array): readonly AccountEdit[] {
  return rlpList(decodeRlp(bytes)).map((item) => {
    const [address, balance, nonce, code, slot] = rlpList(item)
    const first = (list: RlpItem | undefined) => rlpList(list).map((part) => rlpBytes(part))[0]
    const numberOf = (list: RlpItem | undefined) => {
      const found = first(list)
      return found && bytesToBigInt(found)
    }
    const [key, value] = rlpList(slot).map((part) => rlpBytes(part))
    return {
      address: rlpBytes(address) as Address,
      balance: numberOf(balance),
      nonce: numberOf(nonce),
      code: first(code),
      slot: key && value && { key: key as Hash32, value: value as Hash32 },
    }
  })
}
