import { emptyBytes, toAddress } from '../../primitives/bytes.ts'
import { decodeRlpStart, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../../primitives/rlp.ts'
import {
  addressesFromRlp,
  addVoteByte,
  type BftCodec,
  type BftVote,
  hasBftVote,
  isAddVoteByte,
  sealsFromRlp,
} from '../bft/extraData.ts'

const roundBits = 32

function voteFromRlp(item: RlpItem | undefined): BftVote | undefined {
  const members = rlpList(item)
  if (members.length === 0) return undefined
  const [recipient, type] = rlpList(members, 2)
  const word = rlpBytes(type)
  // A vote to drop is written as nothing; a zero byte is read as one too, as in Besu.
  return { recipient: toAddress(rlpBytes(recipient, 20).slice()), add: word.length > 0 && isAddVoteByte(word) }
}

function voteToRlp(vote: BftVote | undefined): RlpItem {
  return vote ? [vote.recipient, vote.add ? Uint8Array.of(addVoteByte) : emptyBytes] : []
}

/** QBFT's layout: the round is an integer, and absent parts are zero or empty. */
export const qbftCodec: BftCodec = {
  decode(bytes) {
    // Besu lets further items follow, which neither hash nor seals cover: `canonicalHeader` takes them off.
    const [vanity, validators, vote, round, seals] = decodeRlpStart(bytes, 5)
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
