import { describe, expect, test } from 'vitest'
import { toAddress } from '../../primitives/bytes.ts'
import { ibft2Codec } from '../ibft2/ibft2Codec.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'
import { proposedExtraData } from './proposedExtraData.ts'

const someone = toAddress(new Uint8Array(20).fill(7))
const plan = {
  minerExtraData: Uint8Array.of(1, 2),
  validators: [someone],
  byContract: false,
  vote: { recipient: someone, add: false },
  round: 3,
}

describe.each([[ibft2Codec], [qbftCodec]])('in either layout', (codec) => {
  test('has zeros in front of what the operator wants, and no seals', () => {
    const { vanity, ...rest } = codec.decode(proposedExtraData(codec, plan))
    expect(vanity).toEqual(Uint8Array.of(...new Uint8Array(30), 1, 2))
    expect(rest).toEqual({ validators: [someone], vote: plan.vote, round: 3, seals: [] })
  })

  test('cuts what is too long', () => {
    const minerExtraData = Uint8Array.from({ length: 40 }, (_, i) => i)
    const { vanity } = codec.decode(proposedExtraData(codec, { ...plan, minerExtraData }))
    expect(vanity).toEqual(minerExtraData.slice(0, 32))
  })

  test('says nothing of validators where a contract does', () => {
    const data = codec.decode(proposedExtraData(codec, { ...plan, byContract: true }))
    expect(data).toMatchObject({ validators: [], vote: undefined })
  })
})
