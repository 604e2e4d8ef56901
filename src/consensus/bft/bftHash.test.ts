import { describe, expect, test } from 'vitest'
import { type Address, type Hash32, toAddress, toHash32 } from '../../primitives/bytes.ts'
import { hexToAddress, toHex } from '../../primitives/hex.ts'
import { bftMixHash, blankHeader, type Header, headerHash } from '../../types/header.ts'
import { ibft2Codec } from '../ibft2/ibft2Codec.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'
import { bftBlockHash, bftCommitHash } from './bftHash.ts'
import type { BftCodec, BftExtraData } from './extraData.ts'

const filled = (byte: number): Hash32 => toHash32(new Uint8Array(32).fill(byte))
/** Addresses of the private keys 1 to 4, ascending. */
const validators: Address[] = [
  '1eff47bc3a10a45d4b230b5d10e37751fe6aa718',
  '2b5ad5c4795c026514f8317c7a215e218dccd6cf',
  '6813eb9362372eef6200f3b1dbc3f819671cba69',
  '7e5f4552091a69125d5dfcb7b8c2659029395bdf',
].map(hexToAddress)
const data: BftExtraData = { vanity: new Uint8Array(32), validators, vote: undefined, round: 2, seals: [] }

const headerOf = (codec: BftCodec): Header => ({
  ...blankHeader,
  parentHash: filled(0xaa),
  stateRoot: filled(0xbb),
  beneficiary: toAddress(validators[0]!),
  difficulty: 1n,
  number: 1n,
  gasLimit: 0x1fffffffffffffn,
  timestamp: 0x60000000n,
  extraData: codec.encode(data, 'whole'),
  mixHash: bftMixHash,
})

describe.each([
  [
    'ibft2',
    ibft2Codec,
    '0xd8cc53d43f8bfad19948c9434d35157337266f4d0f665ace30788881250fc28e',
    '0x86aa7d5297cb91a6c54d7b867d9a25aea6c6cdef0a1c6222e4e175fea4fb5ec3',
  ],
  [
    'qbft',
    qbftCodec,
    '0x24f99ba1b9213b62185dd1f4d0942ca964753888c88e618b95ce8ab9f0cd435f',
    '0xb21531594864f4fd0cc512b9da751439c6b02c11fb1651f1f55e2023b7d986f8',
  ],
] as const)('%s', (_, codec, commitHash, blockHash) => {
  test('what committers sign, and what the network calls the block', () => {
    const header = headerOf(codec)
    expect(toHex(bftCommitHash(codec, header, data))).toBe(commitHash)
    expect(toHex(bftBlockHash(codec, header))).toBe(blockHash)
  })

  test('block 0 is hashed as it stands', () => {
    const header = { ...headerOf(codec), number: 0n, extraData: new Uint8Array(3) }
    expect(bftBlockHash(codec, header)).toEqual(headerHash(header))
  })
})
