import type { Address } from '../primitives/bytes.ts'
import { emptyBytes, toAddress } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpScalar } from '../primitives/rlp.ts'

/** The two layouts of a BFT header's extra data. */
export const extraDataTypes = ['IBFT_EXTRA_DATA', 'QBFT_EXTRA_DATA'] as const
export type ExtraDataType = (typeof extraDataTypes)[number]

/** Extra data of a genesis block with these validators: no vote, round 0, no seals. */
export function encodeGenesisExtraData(type: ExtraDataType, validators: readonly Address[]): Uint8Array {
  const vanity = new Uint8Array(32)
  // IBFT writes the round in four bytes, QBFT as a number; no vote is an empty string there, an empty list here.
  if (type === 'IBFT_EXTRA_DATA') return encodeRlp([vanity, validators, emptyBytes, new Uint8Array(4), []])
  return encodeRlp([vanity, validators, [], emptyBytes, []])
}

/** The validators that a header's extra data names; its other members are checked for their form only. */
export function decodeValidators(type: ExtraDataType, extraData: Uint8Array): Address[] {
  const [vanity, validators, vote, round, seals] = rlpList(decodeRlp(extraData), 5)
  rlpBytes(vanity, 32)
  if (type === 'IBFT_EXTRA_DATA') {
    rlpBytes(round, 4)
    if (Array.isArray(vote)) rlpList(vote, 2)
    else rlpBytes(vote, 0)
  } else {
    rlpScalar(round, 32)
    if (rlpList(vote).length) rlpList(vote, 2)
  }
  for (const seal of rlpList(seals)) rlpBytes(seal, 65)
  return rlpList(validators).map((item) => toAddress(rlpBytes(item, 20)))
}
