import { emptyBytes, toAddress } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList } from '../../primitives/rlp.ts'
import { bigIntToFixed, bytesToBigInt } from '../../primitives/u256.ts'
import {
  addressesFromRlp,
  addVoteByte,
  type BftCodec,
  type BftVote,
  dropVoteByte,
  hasBftVote,
  isAddVoteByte,
  sealsFromRlp,
} from '../bft/extraData.ts'

const roundLength = 4

function voteFromRlp(item: RlpItem | undefined): BftVote | undefined {
  if (item instanceof Uint8Array && item.length === 0) return undefined
  const [recipient, type] = rlpList(item, 2)
  return { recipient: toAddress(rlpBytes(recipient, 20).slice()), add: isAddVoteByte(rlpBytes(type)) }
}

function voteToRlp(vote: BftVote | undefined): RlpItem {
  return vote ? [vote.recipient, Uint8Array.of(vote.add ? addVoteByte : dropVoteByte)] : emptyBytes
}

/** IBFT 2.0's layout: the round has four bytes, and absent parts are left out. */
export const ibft2Codec: BftCodec = {
  decode(bytes) {
    const [vanity, validators, vote, round, seals] = rlpList(decodeRlp(bytes), 5)
    return {
      vanity: rlpBytes(vanity).slice(),
      validators: addressesFromRlp(validators),
      vote: voteFromRlp(vote),
      round: Number(bytesToBigInt(rlpBytes(round, roundLength))),
      seals: sealsFromRlp(seals),
    }
  },
  hasVote: hasBftVote,
  encode({ vanity, validators, vote, round, seals }, form) {
    const items: RlpItem[] = [vanity, validators, voteToRlp(vote)]
    if (form !== 'hash') items.push(bigIntToFixed(BigInt(round), roundLength))
    if (form === 'whole') items.push(seals)
    return encodeRlp(items)
  },
}
