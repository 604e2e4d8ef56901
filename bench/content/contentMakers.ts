import type { HashedHeader } from '../../src/chain/view.ts'
import { bftCommitHash } from '../../src/consensus/bft/bftHash.ts'
import type { BftExtraData } from '../../src/consensus/bft/extraData.ts'
import { draftHeader } from '../../src/consensus/producing/draftHeader.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import type { ChainSpec } from '../../src/forks/chainSpec.ts'
import { zeroAddress } from '../../src/primitives/bytes.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { bftMixHash, type Header } from '../../src/types/header.ts'
import { seedSignature, tokenCode } from '../rpc/token.ts'
import { chainStart, cliqueMaker, signer, users } from '../sync/cliqueChain.ts'
import type { ChainMaker } from '../sync/produceChain.ts'
import { inputOf } from '../workloads/contracts.ts'
import { type SignedTx, signRich, token, transferInput } from './contentBlocks.ts'
import { weiOf } from './manyAccounts.ts'

/** Kinds of networks whose chains are made beforehand. */
export type ContentKind = 'dev' | 'qbft' | 'clique'

/** Blocks a second apart, so that all of them lie in the past. */
const timestampOf = ({ header }: HashedHeader): bigint => BigInt(chainStart) + header.number + 1n

function nextDevHeader(parent: HashedHeader, spec: ChainSpec): Header {
  const difficulty = spec.consensus.kind === 'ethash' ? (spec.consensus.fixedDifficulty ?? 1n) : 0n
  const extraData = new Uint8Array(0)
  const plan = { timestamp: timestampOf(parent), beneficiary: zeroAddress, extraData, difficulty }
  return draftHeader(parent, { ...plan, targetGasLimit: undefined }, spec)
}

const qbftData: BftExtraData = {
  vanity: new Uint8Array(32),
  validators: [signer.address],
  vote: undefined,
  round: 0,
  seals: [],
}

function nextQbftHeader(parent: HashedHeader, spec: ChainSpec): Header {
  const plan = {
    timestamp: timestampOf(parent),
    beneficiary: signer.address,
    extraData: qbftCodec.encode(qbftData, 'whole'),
    difficulty: 1n,
    mixHash: bftMixHash,
    targetGasLimit: undefined,
  }
  return draftHeader(parent, plan, spec)
}

/** With the commit seal of the only validator, which is a quorum. */
function sealQbft(header: Header): Header {
  const seals = [signer.sign(bftCommitHash(qbftCodec, header, qbftData))]
  return { ...header, extraData: qbftCodec.encode({ ...qbftData, seals }, 'whole') }
}

export const contentMakers: Record<ContentKind, ChainMaker> = {
  dev: { nextHeader: nextDevHeader },
  qbft: { nextHeader: nextQbftHeader, seal: sealQbft },
  clique: cliqueMaker,
}

/** Accounts that a transaction gives their money, and a block. */
const seededPerTx = 500
const seededPerBlock = 10_000

/** What each user gets on the development network, whose genesis block cannot be chosen. */
const gift = { wei: 10n ** 17n, tokens: 10n ** 18n }

/** The blocks that give the development network what others have in their genesis file. */
export function* devSetup(accounts: number): Generator<readonly SignedTx[]> {
  let nonce = 0
  yield [signRich(nonce++, { data: tokenCode, gasLimit: 2_000_000n })]
  yield users.flatMap(({ address }) => [
    signRich(nonce++, { to: address, value: gift.wei, gasLimit: 21_000n }),
    signRich(nonce++, { to: token, data: transferInput(address, gift.tokens), gasLimit: 100_000n }),
  ])
  for (let first = 0; first < accounts; first += seededPerBlock) {
    const txs: SignedTx[] = []
    for (let at = first; at < Math.min(first + seededPerBlock, accounts); at += seededPerTx) {
      const count = Math.min(seededPerTx, accounts - at)
      const value = BigInt(count) * (weiOf(at) + BigInt(count))
      const data = fromHex(inputOf(seedSignature, at, count))
      txs.push(signRich(nonce++, { to: token, value, data, gasLimit: 40_000_000n }))
    }
    yield txs
  }
}

/** How many blocks that are. */
export const devSetupBlocks = (accounts: number): number => 2 + Math.ceil(accounts / seededPerBlock)
