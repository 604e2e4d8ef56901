import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAddress } from '../../primitives/bytes.ts'
import { cliqueGenesisExtraData, decodeCliqueExtraData, encodeCliqueExtraData } from './extraData.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

test('decode undoes encode', () => {
  const signers = fc.array(bytes(20).map(toAddress), { maxLength: 5 })
  fc.assert(
    fc.property(bytes(32), signers, bytes(65), (vanity, list, seal) => {
      const data = { vanity, signers: list, seal }
      expect(decodeCliqueExtraData(encodeCliqueExtraData(data))).toEqual(data)
    }),
  )
})

test('a genesis block has no seal', () => {
  const { seal, signers } = decodeCliqueExtraData(cliqueGenesisExtraData([toAddress(new Uint8Array(20).fill(7))]))
  expect(seal).toEqual(new Uint8Array(65))
  expect(signers).toHaveLength(1)
})

test.each([0, 96, 98, 116, 118])('refuses %i bytes', (length) => {
  expect(() => decodeCliqueExtraData(new Uint8Array(length))).toThrow('Invalid extra data length')
})
