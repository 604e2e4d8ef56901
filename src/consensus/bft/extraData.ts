import { type Address, toAddress } from '../../primitives/bytes.ts'
import { type RlpItem, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { ExtraDataError } from '../fault.ts'
import { sealLength } from '../recoverSeal.ts'

export interface BftVote {
  readonly recipient: Address
  readonly add: boolean
}

/** The extra data of an IBFT 2.0 or QBFT header. */
export interface BftExtraData {
  readonly vanity: Uint8Array
  readonly validators: readonly Address[]
  readonly vote: BftVote | undefined
  readonly round: number
  /** Each signs the header with `commit` extra data. */
  readonly seals: readonly Uint8Array[]
}

/** What of the extra data counts: all of it, what committers sign, or what the network's block hash covers. */
export type BftForm = 'whole' | 'commit' | 'hash'

/** One of the two layouts. */
export interface BftCodec {
  decode(bytes: Uint8Array): BftExtraData
  encode(data: BftExtraData, form: BftForm): Uint8Array
}

/** Extra data of a genesis block with these validators: no vote, round 0, no seals. */
export function bftGenesisExtraData(codec: BftCodec, validators: readonly Address[]): Uint8Array {
  return codec.encode({ vanity: new Uint8Array(32), validators, vote: undefined, round: 0, seals: [] }, 'whole')
}

export const addVoteByte = 0xff
export const dropVoteByte = 0x00

/** A vote's type where it is written as one byte. */
export function isAddVoteByte(type: Uint8Array): boolean {
  if (type.length === 1 && type[0] === addVoteByte) return true
  if (type.length === 1 && type[0] === dropVoteByte) return false
  throw new ExtraDataError({ code: 'VOTE_TYPE_UNKNOWN' })
}

export function addressesFromRlp(item: RlpItem | undefined): Address[] {
  return rlpList(item).map((member) => toAddress(rlpBytes(member, 20).slice()))
}

export function sealsFromRlp(item: RlpItem | undefined): Uint8Array[] {
  return rlpList(item).map((member) => rlpBytes(member, sealLength).slice())
}
