import { expect, test } from 'vitest'
import { concatBytes, zeroHash } from '../../primitives/bytes.ts'
import { fromHex, hexToHash, toHex } from '../../primitives/hex.ts'
import { blankHeader, type Header, headerHash } from '../../types/header.ts'
import { createCliqueSigners } from './cliqueSigners.ts'
import { cliqueSealHash } from './sealHash.ts'

/** Block 30,000 of Rinkeby, the first epoch block after its genesis. */
const rinkeby: Header = {
  ...blankHeader,
  parentHash: hexToHash('ff570bb9893cb9bac64e346419fb9ad51e203c1cf6da5cfcc0c0dff3351b454b'),
  stateRoot: hexToHash('829b58faacea7b0aa625617ba90c93e08150bed160364a7a96505e8205043d34'),
  difficulty: 2n,
  number: 30_000n,
  gasLimit: 4_712_388n,
  timestamp: 1_492_460_444n,
  extraData: concatBytes(
    fromHex('d783010600846765746887676f312e372e33856c696e75780000000000000000'),
    fromHex('42eb768f2244c8811c63729a21a3569731535f06'),
    fromHex('7ffc57839b00206d1ad20c69a1981b489f772031'),
    fromHex('b279182d99e65703f0076e4812653aab85fca0f0'),
    fromHex('c5bc40d0535af16266714ccb26fc49448c10bdf2969411514707d7442956b339'),
    fromHex('7b09a980f4bea9347f70eea52183326247a0239b6d01fa0b07afc44e8a054633'),
    Uint8Array.of(1),
  ),
}

test('a block of a public network', () => {
  expect(toHex(cliqueSealHash(rinkeby))).toBe('0x89cb211c2d7a21ef8d7af39625fb047547ab7ecfee5467f3548946eca3c0ac3b')
  expect(toHex(headerHash(rinkeby))).toBe('0x8b27a29300811af926039b90288d3d384dcb55931049c17c4f762e45c116776e')
  expect(toHex(createCliqueSigners().of(rinkeby))).toBe('0x42eb768f2244c8811c63729a21a3569731535f06')
})

test('covers the base fee and nothing younger', () => {
  const london = { ...rinkeby, baseFee: 7n }
  expect(cliqueSealHash(london)).not.toEqual(cliqueSealHash(rinkeby))
  expect(cliqueSealHash({ ...london, withdrawalsRoot: zeroHash })).toEqual(cliqueSealHash(london))
})
