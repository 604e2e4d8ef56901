import { emptyBytes, toAddress } from '../../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import {
  addressesFromRlp,
  addVoteByte,
  type BftCodec,
  type BftVote,
  hasBftVote,
  isAddVoteByte,
  sealsFromRlp,
} from '../bft/extraData.ts'
import { ExtraDataError } from '../fault.ts'

const roundBits = 32

function voteFromRlp(item: RlpItem | undefined): BftVote | undefined {
  const members = rlpList(item)
  if (members.length === 0) return undefined
  const [recipient, type] = rlpList(members, 2)
  const word = rlpBytes(type)
  const add = word.length > 0 && isAddVoteByte(word)
  // A drop vote is empty: Besu accepts a zero byte too, but nobody writes it.
  if (word.length > 0 && !add) throw new ExtraDataError({ code: 'VOTE_TYPE_UNKNOWN' })
  return { recipient: toAddress(rlpBytes(recipient, 20).slice()), add }
}

function voteToRlp(vote: BftVote | undefined): RlpItem {
  return vote ? [vote.recipient, vote.add ? Uint8Array.of(addVoteByte) : emptyBytes] : []
}

/** QBFT's layout: the round is an integer, and absent parts are zero or empty. */
export const qbftCodec: BftCodec = {
  decode(bytes) {
    // Besu accepts further items and other forms of a vote: neither hash nor seals cover them, so anybody could add them to a block.
    const [vanity, validators, vote, round, seals] = rlpList(decodeRlp(bytes), 5)
    return {
      vanity: rlpBytes(vanity).slice(),
      validators: addressesFromRlp(validators),
      vote: voteFromRlp(vote),
      round: Number(rlpScalar(round, roundBits)),
      seals: sealsFromRlp(seals),
    }
  },
  hasVote: hasBftVote,
  encode({ vanity, validators, vote, round, seals }, form) {
    return encodeRlp([
      vanity,
      validators,
      voteToRlp(vote),
      scalar(form === 'hash' ? 0 : round),
      form === 'whole' ? seals : [],
    ])
  },
}
