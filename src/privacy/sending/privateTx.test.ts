import { expect, test } from 'vitest'
import type { Address } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'
import { fromBase64, toBase64 } from '../enclave/base64.ts'
import { groupIdOf, privateContractAddress } from '../enclave/groupId.ts'
import { PrivacyError } from '../fault.ts'
import {
  decodePrivateTx,
  encodePrivateTx,
  privateChainIdOf,
  privateSenderOf,
  privateSigningHash,
  txGroupId,
} from './privateTx.ts'

// Made by Besu: see the reference of its private transactions.
const a = fromBase64('A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=')!
const b = fromBase64('Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs=')!
const c = fromBase64('k2zXEin4Ip/qBGlRkJejnGWdP9cjkK+DAvKNW31L2C8=')!
const raw = fromHex(
  '0xf8a18080832dc6c08080856001600101820fe7a08e4333cf2b98cbd99062f1e07e3f5fa1335685eff1e82f62af7351f30242019aa0202a9626168a4a08905b46beb8bd7b92c045bf64b3f3820d2f087fc5cf94bec3a0035695b4cc4b0941e60551d7a19cf30603db5bfc23e5ac43a56f57f25f75486ae1a02a8d9b56a0fe9cd94d60be4413bcb721d3a7be27ed8e28b3a6346df874ee141b8a72657374726963746564',
)
const keyOne = new Uint8Array(32)
keyOne[31] = 1

test('a transaction of Besu decodes, encodes and names its signer', () => {
  const tx = decodePrivateTx(raw)
  expect(toHex(privateSigningHash(tx))).toBe('0x8fda3910a71afb4231c40ed7eda46e2e6c7645422f6b5d6569ee57e980da6c74')
  expect(privateSenderOf(tx)).toEqual(privateKeyToAddress(keyOne))
  expect(privateChainIdOf(tx)).toBe(2018n)
  expect(tx).toMatchObject({ nonce: 0n, gasLimit: 3_000_000n, to: undefined, restriction: 'restricted' })
  expect(encodePrivateTx(tx)).toEqual(raw)
  const group = txGroupId(tx)
  expect(toBase64(group)).toBe('DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=')
  expect(toHex(privateContractAddress(privateSenderOf(tx)!, 0n, group))).toBe(
    '0xee6c00031d14218589d2a17693fc0e1211c595f3',
  )
})

test('ids of groups are those of Besu, whatever the order of keys', () => {
  const x = fromBase64('arhIcNa+MuYXZabmzJD5B33F3dZgqb0hEbM3FZsylSg=')!
  const y = fromBase64('B687sgdtqsem2qEXO8h8UqvW1Mb3yKo7id5hPFLwCmY=')!
  expect(toBase64(groupIdOf([x, y]))).toBe('f+2n2ScSwQj/MCQyGkIWWzukT90w51ouYlOPm80BMTE=')
  const three = '95yIn/OYTZ1xN7SiBX1MdBJv9Bqk6Oq7fy+7XSaInyY='
  expect(toBase64(groupIdOf([a, b, c]))).toBe(three)
  expect(toBase64(groupIdOf([c, a, b, a]))).toBe(three)
})

test('a group takes the place of recipients', () => {
  const privacyGroupId = new Uint8Array(32).fill(7)
  const tx = { ...decodePrivateTx(raw), to: new Uint8Array(20).fill(1) as Address, recipients: { privacyGroupId } }
  expect(decodePrivateTx(encodePrivateTx(tx))).toEqual(tx)
  expect(txGroupId(tx)).toEqual(privacyGroupId)
})

test('what is not a signed private transaction is refused', () => {
  const tx = decodePrivateTx(raw)
  const group = { ...tx, recipients: { privacyGroupId: new Uint8Array(31) } }
  const broken = [
    raw.subarray(0, -1),
    encodeRlp([raw]),
    encodePrivateTx(group),
    ...[{ r: 0n }, { s: 0n }, { s: 2n ** 256n - 1n }, { v: 0n }, { v: 26n }, { v: 35n }, { v: 36n }].map((change) =>
      encodePrivateTx({ ...tx, ...change }),
    ),
  ]
  for (const bytes of broken) expect(() => decodePrivateTx(bytes)).toThrow(PrivacyError)
})
