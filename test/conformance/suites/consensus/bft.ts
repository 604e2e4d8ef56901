import { bftBlockHash, bftCommitHash } from '../../../../src/consensus/bft/bftHash.ts'
import { quorumOf } from '../../../../src/consensus/bft/checkCommitSeals.ts'
import type { BftCodec, BftExtraData } from '../../../../src/consensus/bft/extraData.ts'
import { ExtraDataError } from '../../../../src/consensus/fault.ts'
import { ibft2Codec } from '../../../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../../../src/consensus/qbft/qbftCodec.ts'
import { recoverSeal } from '../../../../src/consensus/recoverSeal.ts'
import { errorOf, expectBytes, expectEqual, Mismatch } from '../../../../src/evmtool/expect.ts'
import { toBytes } from '../../../../src/evmtool/json.ts'
import { hexToAddress } from '../../../../src/primitives/hex.ts'
import { decodeRlp, RlpError } from '../../../../src/primitives/rlp.ts'
import { headerFromRlp } from '../../../../src/types/header.ts'
import type { Data } from '../../data.ts'
import type { Case } from '../../suite.ts'

type CodecName = 'IBFT2' | 'QBFT'

interface JsonExtraData {
  readonly vanity: string
  readonly validators: readonly string[]
  readonly vote: { readonly recipient: string; readonly type: 'ADD' | 'DROP' } | null
  readonly round: number
  readonly seals: readonly string[]
}

interface ValidExtraData {
  readonly name: string
  readonly codec: CodecName
  readonly decoded: JsonExtraData
  readonly encoded: string
  readonly withoutCommitSeals: string
  readonly withoutCommitSealsAndRound: string
}

interface InvalidExtraData {
  readonly name: string
  readonly codec: CodecName
  readonly encoded: string
}

interface BftHeader {
  readonly name: string
  readonly codec: CodecName
  readonly headerRlp: string
  readonly blockHash: string
  readonly committedSealHash: string
  readonly committers: readonly string[]
  readonly extraData: JsonExtraData
}

const folder = 'consensus/bft'
const codecs: Readonly<Record<CodecName, BftCodec>> = { IBFT2: ibft2Codec, QBFT: qbftCodec }

function readExtraData({ vanity, validators, vote, round, seals }: JsonExtraData): BftExtraData {
  return {
    vanity: toBytes(vanity),
    validators: validators.map(hexToAddress),
    vote: vote ? { recipient: hexToAddress(vote.recipient), add: vote.type === 'ADD' } : undefined,
    round,
    seals: seals.map(toBytes),
  }
}

/** Both must encode to the same, member by member. */
function expectSame(have: BftExtraData, want: BftExtraData): void {
  expectBytes('vanity', have.vanity, want.vanity)
  expectEqual('validators', have.validators.map(String).join(), want.validators.map(String).join())
  expectEqual('recipient', have.vote && String(have.vote.recipient), want.vote && String(want.vote.recipient))
  expectEqual('vote', have.vote?.add, want.vote?.add)
  expectEqual('round', have.round, want.round)
  expectEqual('seals', have.seals.map(String).join(), want.seals.map(String).join())
}

function checkValid(test: ValidExtraData): void {
  const codec = codecs[test.codec]
  const data = readExtraData(test.decoded)
  expectBytes('encoded', codec.encode(data, 'whole'), toBytes(test.encoded))
  expectBytes('without seals', codec.encode(data, 'commit'), toBytes(test.withoutCommitSeals))
  expectBytes('without seals and round', codec.encode(data, 'hash'), toBytes(test.withoutCommitSealsAndRound))
  expectSame(codec.decode(toBytes(test.encoded)), data)
}

function checkInvalid({ codec, encoded }: InvalidExtraData): void {
  const error = errorOf(() => codecs[codec].decode(toBytes(encoded)))
  if (!error) throw new Mismatch('accepted, expected to be refused')
  if (!(error instanceof RlpError) && !(error instanceof ExtraDataError)) throw error
}

function checkHeader(test: BftHeader): void {
  const codec = codecs[test.codec]
  const header = headerFromRlp(decodeRlp(toBytes(test.headerRlp)))
  const data = codec.decode(header.extraData)
  expectSame(data, readExtraData(test.extraData))
  const commitHash = bftCommitHash(codec, header, data)
  expectBytes('commit-seal hash', commitHash, toBytes(test.committedSealHash))
  expectBytes('block hash', bftBlockHash(codec, header), toBytes(test.blockHash))
  expectEqual('seals', data.seals.length, test.committers.length)
  for (const [i, seal] of data.seals.entries())
    expectBytes(`committer ${i}`, recoverSeal(commitHash, seal), toBytes(test.committers[i]!))
}

export function bftCases(data: Data): Case[] {
  const extraData = data.json(`${folder}/extra-data.json`) as {
    readonly valid: readonly ValidExtraData[]
    readonly invalid: readonly InvalidExtraData[]
  }
  const headers = data.json(`${folder}/headers.json`) as readonly BftHeader[]
  const { quorum } = data.json(`${folder}/quorum.json`) as { readonly quorum: Readonly<Record<string, number>> }
  return [
    ...extraData.valid.map((test) => ({ name: `bft/extra-data ${test.name}`, run: () => checkValid(test) })),
    ...extraData.invalid.map((test) => ({ name: `bft/extra-data ${test.name}`, run: () => checkInvalid(test) })),
    ...headers.map((test) => ({ name: `bft/headers ${test.name}`, run: () => checkHeader(test) })),
    ...Object.entries(quorum).map(([validators, want]) => ({
      name: `bft/quorum ${validators}`,
      run: () => expectEqual('quorum', quorumOf(Number(validators)), want),
    })),
  ]
}
