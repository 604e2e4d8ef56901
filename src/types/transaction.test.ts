import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { decodeTx } from './decodeTx.ts'
import { encodeTx, rememberTxBytes, signedHash, signingHash, txHash } from './encodeTx.ts'
import { authorityOf, senderOf, signAuthorization, signTx } from './signTx.ts'
import { chainIdOf, effectiveGasPriceOf, priorityFeeOf, type Tx, type UnsignedTx } from './transaction.ts'

const privateKey = new Uint8Array(32).fill(9)
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const u256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((b) => b as Address)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => b as Hash32)
const chainId = fc.bigInt({ min: 1n, max: 1n << 40n })
const data = fc.uint8Array({ maxLength: 100 })
const accessList = fc.array(fc.record({ address, slots: fc.array(hash, { maxLength: 3 }) }), { maxLength: 3 })
const common = { nonce: u64, gasLimit: u64, value: u256, data }
const typed = { ...common, chainId, accessList }
const fees = { ...typed, maxPriorityFee: u256, maxFee: u256 }
const maybeTo = fc.option(address, { nil: undefined })
const authorization = fc
  .record({ chainId, address, nonce: u64 })
  .map((authorization) => signAuthorization(authorization, privateKey))

const unsigned: fc.Arbitrary<UnsignedTx> = fc.oneof(
  fc.record({
    type: fc.constant(0 as const),
    ...common,
    to: maybeTo,
    gasPrice: u256,
    chainId: fc.option(chainId, { nil: undefined }),
  }),
  fc.record({ type: fc.constant(1 as const), ...typed, to: maybeTo, gasPrice: u256 }),
  fc.record({ type: fc.constant(2 as const), ...fees, to: maybeTo }),
  fc.record({
    type: fc.constant(3 as const),
    ...fees,
    to: address,
    maxBlobFee: u256,
    blobHashes: fc.array(hash, { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant(4 as const),
    ...fees,
    to: address,
    authorizations: fc.array(authorization, { maxLength: 2 }),
  }),
)

describe('transactions', () => {
  test('signed, encoded, decoded: the same transaction from the same sender', () => {
    fc.assert(
      fc.property(unsigned, (plain) => {
        const tx = signTx(plain, privateKey)
        const back = decodeTx(encodeTx(tx))
        expect(back).toEqual(tx)
        expect(txHash(back)).toEqual(txHash(tx))
        expect(senderOf(back)).toEqual(privateKeyToAddress(privateKey))
        expect(chainIdOf(back)).toBe(plain.chainId)
      }),
      { numRuns: 100 },
    )
  })

  test('what was signed is found in the bytes, whatever the signature', () => {
    const part = fc.oneof(fc.constantFrom(0n, 1n, 0x7fn, 0x80n, 1n << 247n, 1n << 248n), u256)
    fc.assert(
      fc.property(unsigned, part, part, (plain, r, s) => {
        const tx: Tx = { ...signTx(plain, privateKey), r, s }
        const read = { ...tx }
        rememberTxBytes(read, encodeTx(tx))
        expect(signedHash(read)).toEqual(signingHash(plain))
        expect(signedHash(tx)).toEqual(signingHash(plain))
      }),
      { numRuns: 200 },
    )
  })

  test('the example of EIP-155', () => {
    const tx = signTx(
      {
        type: 0,
        nonce: 9n,
        gasPrice: 20_000_000_000n,
        gasLimit: 21_000n,
        to: hexToAddress('3535353535353535353535353535353535353535'),
        value: 1_000_000_000_000_000_000n,
        data: new Uint8Array(0),
        chainId: 1n,
      },
      new Uint8Array(32).fill(0x46),
    ) as Tx & { type: 0 }
    expect(tx.v).toBe(37n)
    expect(tx.r).toBe(0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276n)
    expect(tx.s).toBe(0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83n)
  })

  test('an authority is recovered, but not from a high s', () => {
    const signed = signAuthorization({ chainId: 1n, address: privateKeyToAddress(privateKey), nonce: 3n }, privateKey)
    expect(authorityOf(signed)).toEqual(privateKeyToAddress(privateKey))
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    expect(authorityOf({ ...signed, s: order - signed.s, yParity: 1n - signed.yParity })).toBeUndefined()
    expect(authorityOf({ ...signed, yParity: 2n })).toBeUndefined()
  })

  test.each([
    ['', 'EMPTY_TRANSACTION'],
    ['0x00', 'UNKNOWN_TX_TYPE'],
    ['0x05c0', 'UNKNOWN_TX_TYPE'],
    ['0x83010203', 'RLP_WRONG_KIND'],
    ['0xc0', 'RLP_WRONG_LENGTH'],
    ['0x02', 'RLP_TRUNCATED'],
  ])('refuses %s', (hex, code) => expect(() => decodeTx(fromHex(hex))).toThrow(code))

  test('trailing bytes and a recipient of the wrong length are refused', () => {
    const tx = signTx(
      {
        type: 0,
        nonce: 0n,
        gasPrice: 1n,
        gasLimit: 21_000n,
        to: undefined,
        value: 0n,
        data: new Uint8Array(0),
        chainId: 1n,
      },
      privateKey,
    )
    expect(() => decodeTx(new Uint8Array([...encodeTx(tx), 0]))).toThrow('RLP_TRAILING_BYTES')
    expect(() => decodeTx(encodeTx({ ...tx, to: new Uint8Array(19) as Address }))).toThrow('RLP_WRONG_LENGTH')
  })

  test('prices in a block', () => {
    const tx = { type: 2, maxFee: 100n, maxPriorityFee: 10n } as Tx
    expect(priorityFeeOf(tx, 50n)).toBe(10n)
    expect(priorityFeeOf(tx, 95n)).toBe(5n)
    expect(effectiveGasPriceOf(tx, 95n)).toBe(100n)
    expect(effectiveGasPriceOf(tx, 50n)).toBe(60n)
    expect(effectiveGasPriceOf({ type: 0, gasPrice: 7n } as Tx, 5n)).toBe(7n)
    expect(toHex(fromHex('0x'))).toBe('0x')
  })
})
