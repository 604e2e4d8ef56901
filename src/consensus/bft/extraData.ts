import { type Address, toAddress } from '../../primitives/bytes.ts'
import { type RlpItem, rlpBytes, rlpContentAt, rlpList, rlpPrefixLength } from '../../primitives/rlp.ts'
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
  /** Commit seals; each signs the header with extra data in the `commit` form. */
  readonly seals: readonly Uint8Array[]
}

/** Parts of the extra data that are encoded: all, those that commit seals sign, or those that the block hash covers. */
export type BftForm = 'whole' | 'commit' | 'hash'

/** Reads extra data. */
export interface BftExtraDataReader {
  decode(bytes: Uint8Array): BftExtraData
  /** Whether there is a vote, without decoding the rest. */
  hasVote(bytes: Uint8Array): boolean
}

/** Layout of extra data: IBFT 2.0's or QBFT's. */
export interface BftCodec extends BftExtraDataReader {
  encode(data: BftExtraData, form: BftForm): Uint8Array
}

/** Extra data of a genesis block with these validators: no vote, round 0, no seals. */
export function bftGenesisExtraData(codec: BftCodec, validators: readonly Address[]): Uint8Array {
  return codec.encode({ vanity: new Uint8Array(32), validators, vote: undefined, round: 0, seals: [] }, 'whole')
}

export const addVoteByte = 0xff
export const dropVoteByte = 0x00

/** Returns whether a one-byte vote adds a validator; throws on any byte but 0xff and 0x00. */
export function isAddVoteByte(type: Uint8Array): boolean {
  if (type.length === 1 && type[0] === addVoteByte) return true
  if (type.length === 1 && type[0] === dropVoteByte) return false
  throw new ExtraDataError({ code: 'VOTE_TYPE_UNKNOWN' })
}

/** Whether extra data in either layout has a vote: it is the third item, and empty where there is none. */
export function hasBftVote(extraData: Uint8Array): boolean {
  return rlpContentAt(extraData, 2).length > 0
}

export function addressesFromRlp(item: RlpItem | undefined): Address[] {
  return rlpList(item).map((member) => toAddress(rlpBytes(member, 20).slice()))
}

/** Bytes of longer prefixes, and of a higher round. */
const growth = 16

/** Bytes by which a block grows at most when this many validators have sealed it. */
export function sealSizeOf(validators: number): number {
  return validators * (rlpPrefixLength(sealLength) + sealLength) + growth
}

export function sealsFromRlp(item: RlpItem | undefined): Uint8Array[] {
  return rlpList(item).map((member) => rlpBytes(member, sealLength).slice())
}
