import type { Hash32 } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, encodeRlpList, rlpBytes, rlpScalar, scalar } from '../../primitives/rlp.ts'
import { rlpParts, rlpPartsOf } from '../eth/rlpParts.ts'
import { badMessage } from './fault.ts'
import type { Numbered, RangedAccount, RangedSlot, SnapKind, SnapResponses } from './messages.ts'
import { decodeSlimAccount, encodeSlimAccount } from './slimAccount.ts'

/** Longest path in a trie of 32-byte keys, twice: more nodes prove nothing. */
const maxProof = 2 * 65

/** More codes or nodes than any request asks for. */
const maxItems = 4096

type Codecs = {
  readonly [K in SnapKind]: {
    toParts(response: SnapResponses[K]): readonly Uint8Array[]
    /** `parts` are as many as `toParts` returns. */
    fromParts(parts: readonly Uint8Array[]): SnapResponses[K]
    readonly length: number
  }
}

const codecs: Codecs = {
  accountRange: {
    length: 2,
    toParts: ({ accounts, proof }) => [encodeRlpList(accounts.map(encodeAccount)), encodeRlp(proof)],
    fromParts: ([accounts, proof]) => ({
      accounts: rlpParts(accounts!).map(decodeAccount),
      proof: decodeProof(proof!),
    }),
  },
  storageRanges: {
    length: 2,
    toParts: ({ slots, proof }) => [
      encodeRlpList(slots.map((ofOne) => encodeRlpList(ofOne.map(encodeSlot)))),
      encodeRlp(proof),
    ],
    fromParts: ([slots, proof]) => ({
      slots: rlpParts(slots!).map((ofOne) => rlpParts(ofOne).map(decodeSlot)),
      proof: decodeProof(proof!),
    }),
  },
  byteCodes: {
    length: 1,
    toParts: (codes) => [encodeRlp(codes)],
    fromParts: ([codes]) => rlpParts(codes!, maxItems).map(ownBytes),
  },
  trieNodes: {
    length: 1,
    toParts: (nodes) => [encodeRlp(nodes)],
    fromParts: ([nodes]) => rlpParts(nodes!, maxItems).map(ownBytes),
  },
}

function encodeAccount({ hash, account }: RangedAccount): Uint8Array {
  return encodeRlpList([encodeRlp(hash), encodeSlimAccount(account)])
}

function decodeAccount(part: Uint8Array): RangedAccount {
  const [hash, body] = rlpPartsOf(part, 2)
  return { hash: decodeHash(hash!), account: decodeSlimAccount(body!) }
}

function encodeSlot({ hash, data }: RangedSlot): Uint8Array {
  return encodeRlp([hash, data])
}

function decodeSlot(part: Uint8Array): RangedSlot {
  const [hash, data] = rlpPartsOf(part, 2)
  return { hash: decodeHash(hash!), data: ownBytes(data!) }
}

function decodeHash(part: Uint8Array): Hash32 {
  return rlpBytes(decodeRlp(part), 32).slice() as Hash32
}

/** The content of a string, apart from the buffer of its message. */
function ownBytes(part: Uint8Array): Uint8Array {
  return rlpBytes(decodeRlp(part)).slice()
}

function decodeProof(part: Uint8Array): Uint8Array[] {
  return rlpParts(part, maxProof).map(ownBytes)
}

export function encodeResponse<K extends SnapKind>(kind: K, id: bigint, response: SnapResponses[K]): Uint8Array {
  return encodeRlpList([encodeRlp(scalar(id)), ...codecs[kind].toParts(response)])
}

/** Throws a Fault if the response is malformed; nothing of `payload` is kept. Whether it is true is not looked at. */
export function decodeResponse<K extends SnapKind>(kind: K, payload: Uint8Array): Numbered<SnapResponses[K]> {
  const { fromParts, length } = codecs[kind]
  const [id, ...parts] = rlpPartsOf(payload, 1 + length)
  if (id![0]! >= 0xc0) throw badMessage('a number that is a list')
  return { id: rlpScalar(decodeRlp(id!), 64), message: fromParts(parts) }
}
