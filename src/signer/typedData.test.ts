import { TypedDataEncoder } from 'ethers'
import { describe, expect, test } from 'vitest'
import { toHex } from '../primitives/hex.ts'
import { hashTypedData } from './typedData.ts'

// The example of EIP-712.
const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

test('the example of EIP-712', () => {
  expect(toHex(hashTypedData(mail))).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
})

test('a chain id that is text counts', () => {
  const { EIP712Domain: _, ...types } = mail.types
  const on = (chainId: unknown) => hashTypedData({ ...mail, types, domain: { ...mail.domain, chainId } })
  for (const chainId of ['1', '0x1']) expect(on(chainId)).toEqual(on(1))
  expect(on('0x2')).not.toEqual(on(1))
})

test('the type of the domain may be missing', () => {
  const { EIP712Domain: _, ...types } = mail.types
  expect(hashTypedData({ ...mail, types })).toEqual(hashTypedData(mail))
})

describe('as ethers computes it', () => {
  const types = {
    Leaf: [
      { name: 'small', type: 'int8' },
      { name: 'big', type: 'uint256' },
      { name: 'negative', type: 'int256' },
      { name: 'flag', type: 'bool' },
      { name: 'tag', type: 'bytes4' },
      { name: 'blob', type: 'bytes' },
    ],
    Tree: [
      { name: 'leaves', type: 'Leaf[]' },
      { name: 'grid', type: 'uint16[2][]' },
      { name: 'names', type: 'string[]' },
      { name: 'owner', type: 'address' },
    ],
  }
  const leaf = { small: -128, big: '0xff', negative: '-5', flag: true, tag: '0x01020304', blob: '0x00ff' }
  const message = {
    leaves: [leaf, { ...leaf, flag: false, small: 127, big: String(2n ** 256n - 1n) }],
    grid: [
      [1, 2],
      [3, 65535],
    ],
    names: ['', 'größer'],
    owner: `0x${'ab'.repeat(20)}`,
  }
  const domain = { name: 'x', chainId: 1337, salt: `0x${'07'.repeat(32)}` }

  test('arrays, nested structs and all kinds of atoms', () => {
    const json = { types, primaryType: 'Tree', domain, message }
    expect(toHex(hashTypedData(json))).toBe(TypedDataEncoder.hash(domain, types, message))
  })

  test.each([
    ['a number too large', { leaves: [{ ...leaf, small: 128 }] }, 'small does not fit into int8'],
    ['a negative unsigned number', { leaves: [{ ...leaf, big: -1 }] }, 'big does not fit into uint256'],
    ['bytes of another length', { leaves: [{ ...leaf, tag: '0x01' }] }, 'tag does not have 4 bytes'],
    ['an array of another length', { grid: [[1]] }, 'grid does not have 2 items'],
    ['a missing value', { owner: undefined }, 'owner is not hexadecimal'],
    ['a fraction', { leaves: [{ ...leaf, small: 1.5 }] }, 'small is not an integer'],
    ['a number that JSON has rounded', { leaves: [{ ...leaf, big: 2 ** 60 }] }, 'big is not an integer'],
    ['a missing text', { names: [null] }, 'names is not a string'],
    ['half a byte', { leaves: [{ ...leaf, blob: '0x123' }] }, 'blob is not hexadecimal'],
  ])('%s is refused', (_, change, reason) => {
    const json = { types, primaryType: 'Tree', domain, message: { ...message, ...change } }
    expect(() => hashTypedData(json)).toThrow(reason)
  })
})

test.each([
  ['not an object', 'x', 'typed data is not an object'],
  ['an unknown type', { ...mail, primaryType: 'Letter' }, 'the type Letter is not among types'],
  ['an unknown atom', { ...mail, types: { ...mail.types, Mail: [{ name: 'contents', type: 'uint7' }] } }, 'uint7'],
  ['a name of Object', { ...mail, primaryType: 'constructor' }, 'the type constructor is not among types'],
])('%s is refused', (_, json, reason) => expect(() => hashTypedData(json)).toThrow(reason))
