import { describe, expect, test } from 'vitest'
import { type Address, emptyBytes, type Hash32, toAddress } from '../primitives/bytes.ts'
import type { JsonObject } from '../primitives/json.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { blockObject } from '../rpc/objects/block.ts'
import { type Block, encodeBlock, ommersHashOf } from '../types/block.ts'
import { blankHeader, encodeHeader } from '../types/header.ts'
import { signTx } from '../types/signTx.ts'
import { blockFromJson } from './blockFromJson.ts'

const key = new Uint8Array(32).fill(7)
const to: Address = toAddress(new Uint8Array(20).fill(0xaa))
const word: Hash32 = keccak256(key)
const common = { nonce: 3n, gasLimit: 90_000n, to, value: 0n, data: Uint8Array.of(0, 1, 2) }
const typed = { ...common, chainId: 1337n, accessList: [{ address: to, slots: [word] }] }
const fees = { maxPriorityFee: 1n, maxFee: 1n << 200n }
const authorization = { chainId: 0n, address: to, nonce: 9n, yParity: 1n, r: 5n, s: 6n }
const unsigned = {
  'legacy without chain id': { type: 0, ...common, gasPrice: 0n, chainId: undefined },
  legacy: { type: 0, ...common, gasPrice: 12n, chainId: 1337n },
  'creation of a contract': { type: 0, ...common, to: undefined, data: emptyBytes, gasPrice: 12n, chainId: 1337n },
  'access list': { type: 1, ...typed, gasPrice: 12n },
  'fee market': { type: 2, ...typed, ...fees },
  blobs: { type: 3, ...typed, ...fees, maxBlobFee: 4n, blobHashes: [word] },
  delegation: { type: 4, ...typed, ...fees, authorizations: [authorization] },
} as const

/** The block as JSON-RPC returns it. */
function shown(block: Block): JsonObject {
  const ommerHashes = block.ommers.map((ommer) => keccak256(encodeHeader(ommer)))
  const hash = keccak256(encodeHeader(block.header))
  return JSON.parse(
    blockObject.encode({ block, header: block.header, hash, totalDifficulty: 1n, ommerHashes, full: true }),
  ) as JsonObject
}

const prague = {
  ...blankHeader,
  number: 5n,
  difficulty: 1n << 70n,
  extraData: key,
  baseFee: 0n,
  withdrawalsRoot: word,
  blobGasUsed: 0n,
  excessBlobGas: 131072n,
  parentBeaconRoot: word,
}

describe('a block of JSON-RPC is the block that the node has', () => {
  test.each(Object.entries(unsigned))('%s', (_, tx) => {
    const withdrawals = [{ index: 1n, validatorIndex: 2n, address: to, amount: 3n }]
    const block: Block = { header: prague, transactions: [signTx(tx, key)], ommers: [], withdrawals }
    expect(encodeBlock(blockFromJson(shown(block), []))).toEqual(encodeBlock(block))
  })

  test('with an uncle, of the first forks', () => {
    const ommers = [{ ...blankHeader, number: 4n }]
    const header = { ...blankHeader, number: 5n, ommersHash: ommersHashOf(ommers) }
    const block: Block = { header, transactions: [], ommers, withdrawals: undefined }
    expect(encodeBlock(blockFromJson(shown(block), ommers))).toEqual(encodeBlock(block))
  })
})

test.each([
  ['stateRoot', '0x12', 'stateRoot is invalid'],
  ['gasUsed', 7, 'gasUsed is not hexadecimal: 7'],
  ['transactions', ['0x00'], 'transactions has a member that is not an object'],
  ['transactions', [{ type: '0x7e' }], 'nonce is not hexadecimal'],
])('%s = %j is refused', (member, value, message) => {
  const block: Block = { header: prague, transactions: [], ommers: [], withdrawals: [] }
  expect(() => blockFromJson({ ...shown(block), [member]: value }, [])).toThrow(message)
})
