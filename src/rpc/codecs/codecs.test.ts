import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RpcError } from '../protocol/fault.ts'
import { blockNumber, blockRef } from './blockRef.ts'
import { boolean } from './boolean.ts'
import { address, data, hash, slotKey } from './bytes.ts'
import { callObject } from './callObject.ts'
import type { Decoder } from './codec.ts'
import { filterOptions } from './filterOptions.ts'
import { decimal, gasAmount, index, integer } from './integer.ts'
import { list, listEncoder } from './list.ts'
import { quantity, wei } from './quantity.ts'
import { record } from './record.ts'

const refused = Symbol('refused')

function read<T>(decoder: Decoder<T>, json: unknown): T | typeof refused {
  try {
    return decoder.decode(json)
  } catch (error) {
    if (error instanceof RpcError && error.at.code === 'INVALID_PARAMS') return refused
    throw error
  }
}

const twenty = (text: string) => new Uint8Array(Buffer.from(text.padStart(40, '0'), 'hex'))
const word = 'ab'.repeat(32)

describe.each<[string, Decoder<unknown>, [unknown, unknown][]]>([
  [
    'address',
    address,
    [
      [`0x${'11'.repeat(20)}`, twenty('11'.repeat(20))],
      ['11'.repeat(20), twenty('11'.repeat(20))],
      ['0x1', twenty('1')],
      ['', twenty('')],
      ['0x', twenty('')],
      [`0x${'11'.repeat(21)}`, refused],
      ['0X11', refused],
      ['zz', refused],
      [5, refused],
      [{}, refused],
    ],
  ],
  [
    'hash',
    hash,
    [
      [`0x${word.toUpperCase()}`, new Uint8Array(32).fill(0xab)],
      [word, new Uint8Array(32).fill(0xab)],
      [`0X${word}`, refused],
      [`0x${word}00`, refused],
      ['0xab', refused],
      [7, refused],
    ],
  ],
  [
    'data',
    data,
    [
      ['0x', new Uint8Array(0)],
      ['', new Uint8Array(0)],
      ['0xAb01', Uint8Array.of(0xab, 1)],
      ['ab01', Uint8Array.of(0xab, 1)],
      ['0xabc', refused],
      ['0xzz', refused],
      [5, refused],
      [[], refused],
    ],
  ],
  [
    'quantity',
    quantity,
    [
      ['0x1f', 31n],
      ['0x001f', 31n],
      ['31', 31n],
      ['017', 17n],
      ['#1f', 31n],
      [31, 31n],
      ['0x7fffffffffffffff', (1n << 63n) - 1n],
      ['0x8000000000000000', refused],
      ['', refused],
      ['0x', refused],
      ['-1', refused],
      [1.5, refused],
      [true, refused],
    ],
  ],
  [
    'gas',
    gasAmount,
    [
      ['-1', undefined],
      [50000, 50000n],
      ['0xffffffffffffffffff', refused],
    ],
  ],
  [
    'wei',
    wei,
    [
      ['10', 16n],
      ['0x10', 16n],
      [10, 10n],
      ['', 0n],
      ['0x', 0n],
      [`0x${'f'.repeat(64)}`, (1n << 256n) - 1n],
      [`0x1${'0'.repeat(64)}`, refused],
      ['-1', refused],
      [-1, refused],
    ],
  ],
  [
    'slot',
    slotKey,
    [
      ['0x0', new Uint8Array(32)],
      ['', new Uint8Array(32)],
      ['ff', Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 255 : 0))],
      ['-1', refused],
      [1, refused],
    ],
  ],
  [
    'index',
    index,
    [
      ['0x1', 1],
      ['1', 1],
      [1, 1],
      [-1, refused],
      ['0x80000000', refused],
    ],
  ],
  [
    'boolean',
    boolean,
    [
      [true, true],
      ['TRUE', true],
      ['False', false],
      [0, false],
      [3, true],
      ['yes', refused],
      ['', refused],
      ['constructor', refused],
      [[], refused],
    ],
  ],
  [
    'integer',
    integer,
    [
      [7.9, 7],
      ['-7', -7],
      ['0x7', refused],
      [1e300, refused],
    ],
  ],
  [
    'decimal',
    decimal,
    [
      [0.5, 0.5],
      ['50', 50],
      ['', refused],
      ['x', refused],
      [null, refused],
    ],
  ],
  [
    'block number',
    blockNumber,
    [
      ['latest', { tag: 'latest' }],
      ['PENDING', { tag: 'pending' }],
      ['0x10', { number: 16n }],
      ['0X10', { number: 16n }],
      ['010', { number: 10n }],
      ['+16', { number: 16n }],
      [14, { number: 14n }],
      ['-0x1', refused],
      ['', refused],
      ['soon', refused],
      [1.5, refused],
      [{ blockNumber: '0x1' }, refused],
    ],
  ],
  [
    'block reference',
    blockRef,
    [
      ['safe', { tag: 'safe' }],
      [`0x${word}`, { hash: new Uint8Array(32).fill(0xab), requireCanonical: false }],
      [word, refused],
      ['0x00000000000000010', refused],
      ['0xe', { number: 14n }],
      [{ blockNumber: 14 }, { number: 14n }],
      [{ blockNumber: 'latest' }, refused],
      [
        { blockHash: `0x${word}`, requireCanonical: true },
        { hash: new Uint8Array(32).fill(0xab), requireCanonical: true },
      ],
      [{}, refused],
      [[], refused],
      ['-1', refused],
      [true, refused],
    ],
  ],
])('%s', (_, decoder, table) => {
  test.each(table)('%j', (json, want) => {
    expect(read(decoder, json)).toEqual(want)
  })
})

describe('filter options', () => {
  const one = twenty('01')
  test('address and addresses add up', () => {
    const filter = filterOptions.decode({ address: '0x01', addresses: ['0x02'] })
    expect(filter.addresses).toEqual([one, twenty('02')])
    expect(filterOptions.decode({ address: ['0x01'] }).addresses).toEqual([one])
  })
  test('unknown members are ignored', () => {
    expect(filterOptions.decode({ foo: 1, limit: 10 })).toEqual(filterOptions.decode({}))
  })
  test('no members ask for the head', () => {
    expect(filterOptions.decode({})).toMatchObject({
      fromBlock: { tag: 'latest' },
      toBlock: { tag: 'latest' },
      topics: [],
    })
  })
  test('topics: null is any, an empty list nothing, longer than a topic nothing', () => {
    const topic = new Uint8Array(32).fill(0xab)
    const topics = [null, `0x${word}`, [`0x${word}`, `0x${word}`], [], [null], 5, `0x${word}ab`]
    expect(filterOptions.decode({ topics }).topics).toEqual([
      undefined,
      [topic],
      [topic, topic],
      [],
      undefined,
      undefined,
      [],
    ])
    expect(filterOptions.decode({ topics: `0x${word}` }).topics).toEqual([[topic]])
  })
  test.each([
    { topics: ['0x12'] },
    { topics: {} },
    { address: 5 },
    { blockHash: `0x${word}`, fromBlock: '0x1' },
    { blockhash: `0x${word}`, toBlock: 'latest' },
    'x',
    [[]],
  ])('refuses %j', (json) => {
    expect(read(filterOptions, json)).toBe(refused)
  })
  test('has a limit on addresses and topics', () => {
    const many = (count: number, one: string) => Array<string>(count).fill(one)
    expect(filterOptions.decode({ address: many(1000, '0x01') }).addresses).toHaveLength(1000)
    expect(read(filterOptions, { address: many(1001, '0x01') })).toBe(refused)
    const half = many(500, `0x${word}`)
    expect(filterOptions.decode({ topics: [half, half] }).topics).toHaveLength(2)
    expect(read(filterOptions, { topics: [half, half, null] })).toBe(refused)
  })
  test('a block hash may stand beside members that are null', () => {
    expect(filterOptions.decode({ blockHash: `0x${word}`, fromBlock: null }).blockHash).toHaveLength(32)
  })
})

describe('call object', () => {
  test('everything may be absent or null', () => {
    expect(callObject.decode({ from: null, gas: null })).toMatchObject({ from: undefined, value: 0n, strict: false })
  })
  test('input is another name of data', () => {
    expect(callObject.decode({ input: '0x01' }).data).toEqual(Uint8Array.of(1))
    expect(callObject.decode({ data: '0x01', input: '0x01' }).data).toEqual(Uint8Array.of(1))
  })
  test.each([
    { data: '0x01', input: '0x02' },
    { data: '0x', input: '0x02' },
    { gasPrice: '0x1', maxFeePerGas: '0x1' },
    { data: '0x123' },
    { accessList: [{ address: '0x1', storageKeys: ['0x1'] }] },
    'x',
    null,
  ])('refuses %j', (json) => {
    expect(read(callObject, json)).toBe(refused)
  })
})

test('what encoders write is the JSON of the value', () => {
  expect(quantity.encode(0n)).toBe('"0x0"')
  expect(decimal.encode(0)).toBe('0.0')
  const point = record<{ x: bigint; y?: bigint }>('point', (member) => [
    member('x', quantity, ({ x }) => x),
    member.optional('y', quantity, ({ y }) => y),
  ])
  expect(point.encode({ x: 1n })).toBe('{"x":"0x1"}')
  expect(point.encode({ x: 1n, y: 2n })).toBe('{"x":"0x1","y":"0x2"}')
  expect(point.schema['required']).toEqual(['x'])
})

test('a quantity that was written is read back', () => {
  fc.assert(fc.property(fc.bigInt(0n, (1n << 63n) - 1n), (n) => quantity.decode(JSON.parse(quantity.encode(n))) === n))
})

test('bytes that were written are read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(data.decode(JSON.parse(data.encode(bytes)))).toEqual(bytes)
    }),
  )
})

test('a long list is written in pieces that join to its text', () => {
  const numbers = listEncoder(integer)
  const values = Array.from({ length: 50_000 }, (_, i) => i)
  const pieces = [...numbers.stream!(values)!]
  expect(pieces.length).toBeGreaterThan(2)
  expect(JSON.parse(pieces.join(''))).toEqual(values)
  expect(pieces.join('')).toBe(numbers.encode(values))
  expect(numbers.stream!([1, 2])).toBeUndefined()
  expect(list(integer).decode([1, '2'])).toEqual([1, 2])
})
