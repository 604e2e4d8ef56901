import fc from 'fast-check'
import { encodeAbiParameters, hexToBytes } from 'viem'
import { expect, test } from 'vitest'
import { type AbiInput, areEncoded } from './constructorArguments.ts'

/** A type with values of it. */
interface Typed {
  readonly input: AbiInput
  readonly value: unknown
}

const typed = (type: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Typed> =>
  values.map((value) => ({ input: { type }, value }))

const bytes = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((some) => `0x${Buffer.from(some).toString('hex')}`)

const simple = fc.oneof(
  typed('uint8', fc.bigInt(0n, 255n)),
  typed('int16', fc.bigInt(-32768n, 32767n)),
  typed('uint256', fc.bigInt(0n, (1n << 256n) - 1n)),
  typed('bool', fc.boolean()),
  typed('address', bytes(20, 20)),
  typed('bytes4', bytes(4, 4)),
  typed('bytes', bytes(0, 70)),
  typed('string', fc.string({ maxLength: 40 })),
)

const arrays = simple.chain(({ input, value }) =>
  fc.constantFrom('[]', '[2]', '[][1]').map((suffix): Typed => {
    const pair = [value, value]
    return { input: { type: input.type + suffix }, value: suffix === '[][1]' ? [pair] : pair }
  }),
)

const tuples = fc.array(fc.oneof(simple, arrays), { minLength: 1, maxLength: 3 }).map((members): Typed => {
  const components = members.map(({ input }, i) => ({ ...input, name: `m${i}` }))
  return {
    input: { type: 'tuple', components },
    value: Object.fromEntries(members.map(({ value }, i) => [`m${i}`, value])),
  }
})

const lists = fc.array(fc.oneof(simple, arrays, tuples), { maxLength: 4 })

test('what encoding gives is recognised, and nothing longer or shorter', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const inputs = list.map(({ input }) => input)
      const data = hexToBytes(encodeAbiParameters(inputs as never, list.map(({ value }) => value) as never))
      expect(areEncoded(inputs, data)).toBe(true)
      expect(areEncoded(inputs, Buffer.concat([data, Buffer.alloc(1)]))).toBe(false)
      expect(areEncoded(inputs, Buffer.concat([data, Buffer.alloc(32)]))).toBe(false)
      if (data.length > 0) expect(areEncoded(inputs, data.subarray(0, -1))).toBe(false)
    }),
    { numRuns: 150, seed: 48 },
  )
})

const word = (hex: string) => hex.padStart(64, '0')

test.each([
  ['a number that is too large', 'uint8', word('100')],
  ['a negative number that is too small', 'int8', 'f'.repeat(61) + 'f7f'.slice(-3)],
  ['a truth value of 2', 'bool', word('2')],
  ['an address of 21 bytes', 'address', word(`1${'00'.repeat(20)}`)],
  ['bytes4 with five', 'bytes4', '1122334455'.padEnd(64, '0')],
  ['bytes elsewhere', 'bytes', word('40') + word('0') + word('0')],
  ['bytes with something behind', 'bytes', word('20') + word('1') + '1122'.padEnd(64, '0')],
  ['a length beyond the data', 'bytes', word('20') + 'f'.repeat(64)],
  ['an array of too many', 'uint8[]', word('20') + word('2') + word('1')],
  ['an unknown type', 'fixed', word('0')],
])('%s is none', (_, type, data) => {
  expect(areEncoded([{ type }], Buffer.from(data, 'hex'))).toBe(false)
})

test.each([
  ['134 million numbers', { type: 'uint256[134217728]' }],
  ['more than a number can say', { type: `uint8[${'9'.repeat(77)}][2]` }],
  ['as many behind a reference', { type: 'bytes[134217728]' }],
  ['in a tuple', { type: 'tuple', components: [{ type: 'bool[134217728]' }] }],
  ['arrays in arrays', { type: `uint8${'[1]'.repeat(5000)}` }],
])('a type that asks for %s is not walked through', (_, input) => {
  expect(areEncoded([input], new Uint8Array(64))).toBe(false)
})
