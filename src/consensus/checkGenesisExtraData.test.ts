import { expect, test } from 'vitest'
import { createChainSpec } from '../forks/chainSpec.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { toAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { bftGenesisExtraData } from './bft/extraData.ts'
import { cliqueGenesisExtraData } from './clique/extraData.ts'
import { createConsensus } from './createConsensus.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const someone = toAddress(new Uint8Array(20).fill(7))
const address = toHex(someone)

function consensusOf(config: object, extraData: Uint8Array) {
  const genesis = { config, gasLimit: '0x1000000', difficulty: '0x1', extraData: toHex(extraData) }
  return createConsensus(createChainSpec(toGenesisFile(genesis)))
}

test.each([
  ['qbft', bftGenesisExtraData(qbftCodec, []), 'qbft with at least one validator'],
  ['ibft2', bftGenesisExtraData(ibft2Codec, []), 'ibft2 with at least one validator'],
  ['clique', cliqueGenesisExtraData([]), 'clique with at least one signer'],
  ['qbft', new Uint8Array(0), 'extra data of qbft but'],
  ['qbft', cliqueGenesisExtraData([someone]), 'extra data of qbft but'],
  ['clique', bftGenesisExtraData(qbftCodec, [someone]), 'extra data of clique but'],
])('%s is refused with extra data in which nobody can make blocks', (kind, extraData, message) => {
  expect(() => consensusOf({ [kind]: {} }, extraData)).toThrow(message)
})

test.each([
  ['the extra data, also one of them twice', {}, [someone, someone]],
  ['a contract', { qbft: { validatorContractAddress: address } }, []],
  ['a transition at block 1', { transitions: { qbft: [{ block: 1, validators: [address] }] } }, []],
  [
    'a contract from block 1 on',
    {
      transitions: {
        qbft: [{ block: 1, validatorSelectionMode: 'contract', validatorContractAddress: address }],
      },
    },
    [],
  ],
])('validators may come from %s', (_, config, validators) => {
  expect(consensusOf({ qbft: {}, ...config }, bftGenesisExtraData(qbftCodec, validators))).toBeDefined()
})
