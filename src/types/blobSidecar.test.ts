import { expect, test } from 'vitest'
import { type Address, concatBytes, emptyBytes } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { decodeRlp, encodeRlp, rlpList } from '../primitives/rlp.ts'
import {
  type BlobSidecar,
  blobHashOf,
  blobSize,
  cellsPerBlob,
  decodeNetworkTx,
  encodeNetworkTx,
} from './blobSidecar.ts'
import { encodeTx, txHash } from './encodeTx.ts'
import { type BlobTx, type FeeMarketTx, noAccessList } from './transaction.ts'

const commitment = new Uint8Array(48).fill(0xc0)
const plain: FeeMarketTx = {
  type: 2,
  chainId: 1337n,
  nonce: 0n,
  maxPriorityFee: 1n,
  maxFee: 9n,
  gasLimit: 21_000n,
  to: new Uint8Array(20).fill(6) as Address,
  value: 0n,
  data: emptyBytes,
  accessList: noAccessList,
  yParity: 0,
  r: 1n,
  s: 1n,
}
const tx: BlobTx = { ...plain, type: 3, maxBlobFee: 2n, blobHashes: [blobHashOf(commitment)] }
const sidecar: BlobSidecar = {
  version: 0,
  blobs: [new Uint8Array(blobSize).fill(4)],
  commitments: [commitment],
  proofs: [new Uint8Array(48).fill(5)],
}

/** All parts as text: comparing blobs byte by byte takes seconds. */
const summary = (s: BlobSidecar | undefined) =>
  s && [s.version, ...[s.blobs, s.commitments, s.proofs].map((list) => list.map(toHex).join())]

test('the hash of the point at infinity is the published one', () => {
  const infinity = new Uint8Array(48)
  infinity[0] = 0xc0
  expect(toHex(blobHashOf(infinity))).toBe('0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014')
})

test('a blob transaction travels with its sidecar and keeps its hash', () => {
  const bytes = encodeNetworkTx(tx, sidecar)
  const read = decodeNetworkTx(bytes)
  expect(summary(read.sidecar)).toEqual(summary(sidecar))
  expect(txHash(read.tx)).toEqual(txHash(tx))
  expect(rlpList(decodeRlp(bytes.subarray(1)), 4)).toHaveLength(4)
})

test('version 1 names itself between the transaction and the blobs', () => {
  const cells = { ...sidecar, version: 1, proofs: Array.from({ length: cellsPerBlob }, () => new Uint8Array(48)) }
  const bytes = encodeNetworkTx(tx, cells)
  expect(rlpList(decodeRlp(bytes.subarray(1)), 5)[1]).toEqual(Uint8Array.of(1))
  expect(summary(decodeNetworkTx(bytes).sidecar)).toEqual(summary(cells))
})

test('without a sidecar, or of another type, it is the transaction alone', () => {
  expect(encodeNetworkTx(tx, undefined)).toEqual(encodeTx(tx))
  expect(decodeNetworkTx(encodeTx(tx))).toEqual({ tx, sidecar: undefined })
  expect(decodeNetworkTx(encodeNetworkTx(plain, undefined)).tx).toEqual(plain)
})

test('parts of the wrong length are faults', () => {
  const short = { ...sidecar, blobs: [new Uint8Array(blobSize - 1)] }
  expect(() => decodeNetworkTx(encodeNetworkTx(tx, short))).toThrow('RLP_WRONG_LENGTH')
  const items = rlpList(decodeRlp(encodeNetworkTx(tx, sidecar).subarray(1)))
  expect(() => decodeNetworkTx(concatBytes(Uint8Array.of(3), encodeRlp(items.slice(0, 3))))).toThrow('RLP_WRONG_LENGTH')
  expect(() => decodeNetworkTx(fromHex('03c0'))).toThrow()
})
