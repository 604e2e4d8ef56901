import { expect, test } from 'vitest'
import { createChainSpec } from '../forks/chainSpec.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { blobBaseFeeOf } from './blobFee.ts'

const top = { gasLimit: '0x1', difficulty: '0x1', alloc: {} }

test('blobs are free where the base fee is zero or fixed', () => {
  const feeOf = (config: object) => {
    const spec = createChainSpec(toGenesisFile({ ...top, config: { cancunTime: 0, qbft: {}, ...config } }))
    return blobBaseFeeOf({ excessBlobGas: 10n ** 8n }, spec.rulesAt({ number: 1n, timestamp: 1n }))
  }
  expect(feeOf({})).toBeGreaterThan(1n)
  expect([feeOf({ zeroBaseFee: true }), feeOf({ fixedBaseFee: true })]).toEqual([0n, 0n])
})
