import { expect, test } from 'vitest'
import { createChainSpec } from '../forks/chainSpec.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { toAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { bftGenesisExtraData } from './bft/extraData.ts'
import { cliqueGenesisExtraData } from './clique/extraData.ts'
import { createConsensus } from './createConsensus.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const someone = toAddress(new Uint8Array(20).fill(7))

function consensusOf(config: object, extraData: Uint8Array) {
  const genesis = { config, gasLimit: '0x1000000', difficulty: '0x1', extraData: toHex(extraData) }
  return createConsensus(createChainSpec(toGenesisFile(genesis)))
}

test.each([
  ['qbft', new Uint8Array(0), 'extra data of qbft but'],
  ['qbft', cliqueGenesisExtraData([someone]), 'extra data of qbft but'],
  ['clique', bftGenesisExtraData(qbftCodec, [someone]), 'extra data of clique but'],
])('%s is refused with extra data in another layout', (kind, extraData, message) => {
  expect(() => consensusOf({ [kind]: {} }, extraData)).toThrow(message)
})

test.each([
  ['someone, also twice', [someone, someone]],
  ['nobody', []],
])('extra data may name %s', (_, validators) => {
  expect(consensusOf({ qbft: {} }, bftGenesisExtraData(qbftCodec, validators))).toBeDefined()
})
