import { describe, expect, test } from 'vitest'
import { addressOf, assemble, calls, contract, send, sender, slotOf, startWorld } from '../../test/support/evmWorld.ts'
import { type ForkName, forks } from '../forks/table.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { EvmKind } from './evmModule.ts'

const other = addressOf(0xbeefn)
const nobody = addressOf(0xdeadn)
const limit = 1_000_000n

/** Returns the gas that the code uses and its refund, with slot 0 at `original`. */
function measure(kind: EvmKind, fork: ForkName, source: string, original = 0n): [number, number] {
  const evm = startWorld(
    [
      [sender, { balance: 1n }],
      [contract, { code: assemble(source), balance: 10n, storage: { 0: original } }],
      [other, { nonce: 1n, code: assemble('STOP') }],
    ],
    { kind, fork },
  )
  const { gasLeft } = send(evm, { gas: limit })
  return [Number(limit - gasLeft), Number(evm.refund())]
}

/** SSTORE of each value in turn. */
const stores = (...values: number[]) => values.map((value) => `${value} 0 SSTORE`).join(' ')

/** Sequences of writes to a slot: original value, values written. */
const sequences = [
  [0, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
  [0, 1, 2],
  [0, 1, 1],
  [1, 0, 0],
  [1, 0, 1],
  [1, 0, 2],
  [1, 2, 0],
  [1, 2, 3],
  [1, 2, 1],
  [1, 2, 2],
  [1, 1, 0],
  [1, 1, 2],
  [1, 1, 1],
  [0, 1, 0, 1],
  [1, 0, 1, 0],
] as const

/** Gas and refund of those sequences, in that order: EIP-1283's and EIP-2200's own tables, London by EIP-3529. */
const stored: Partial<Record<ForkName, readonly (readonly [number, number])[]>> = {
  byzantium: [
    [10012, 0],
    [25012, 0],
    [25012, 15000],
    [25012, 0],
    [25012, 0],
    [10012, 15000],
    [25012, 15000],
    [25012, 15000],
    [10012, 15000],
    [10012, 0],
    [10012, 0],
    [10012, 0],
    [10012, 15000],
    [10012, 0],
    [10012, 0],
    [45018, 15000],
    [30018, 30000],
  ],
  constantinople: [
    [412, 0],
    [20212, 0],
    [20212, 19800],
    [20212, 0],
    [20212, 0],
    [5212, 15000],
    [5212, 4800],
    [5212, 0],
    [5212, 15000],
    [5212, 0],
    [5212, 4800],
    [5212, 0],
    [5212, 15000],
    [5212, 0],
    [412, 0],
    [40218, 19800],
    [10218, 19800],
  ],
  istanbul: [
    [1612, 0],
    [20812, 0],
    [20812, 19200],
    [20812, 0],
    [20812, 0],
    [5812, 15000],
    [5812, 4200],
    [5812, 0],
    [5812, 15000],
    [5812, 0],
    [5812, 4200],
    [5812, 0],
    [5812, 15000],
    [5812, 0],
    [1612, 0],
    [40818, 19200],
    [10818, 19200],
  ],
  london: [
    [2312, 0],
    [22212, 0],
    [22212, 19900],
    [22212, 0],
    [22212, 0],
    [5112, 4800],
    [5112, 2800],
    [5112, 0],
    [5112, 4800],
    [5112, 0],
    [5112, 2800],
    [5112, 0],
    [5112, 4800],
    [5112, 0],
    [2312, 0],
    [42218, 19900],
    [8018, 7600],
  ],
}

/** Price of one use and of a second one, from the fork on that changed it. */
const accesses: readonly (readonly [string, string, Partial<Record<ForkName, readonly [number, number]>>])[] = [
  [
    'BALANCE',
    `${bytesToBigInt(other)} BALANCE`,
    { frontier: [20, 20], tangerineWhistle: [400, 400], istanbul: [700, 700], berlin: [2600, 100] },
  ],
  [
    'EXTCODESIZE',
    `${bytesToBigInt(other)} EXTCODESIZE`,
    { frontier: [20, 20], tangerineWhistle: [700, 700], berlin: [2600, 100] },
  ],
  [
    'EXTCODEHASH',
    `${bytesToBigInt(other)} EXTCODEHASH`,
    { constantinople: [400, 400], istanbul: [700, 700], berlin: [2600, 100] },
  ],
  ['SLOAD', '5 SLOAD', { frontier: [50, 50], tangerineWhistle: [200, 200], istanbul: [800, 800], berlin: [2100, 100] }],
]

describe.each(['fast', 'exact'] as const)('gas (%s EVM)', (kind) => {
  describe.each(Object.entries(stored) as [ForkName, [number, number][]][])('SSTORE on %s', (fork, expected) => {
    test.each(sequences.map((sequence, i) => [sequence.join(' → '), i] as const))('%s', (_, i) => {
      const [original, ...values] = sequences[i]!
      expect(measure(kind, fork, stores(...values), BigInt(original))).toEqual(expected[i])
    })
  })

  test.each(accesses)('%s costs what each fork says', (_, source, changes) => {
    let price: readonly [number, number] | undefined
    for (const { name } of forks) {
      price = changes[name] ?? price
      if (!price) continue
      const once = measure(kind, name, source)[0]
      const twice = measure(kind, name, `${source} ${source}`)[0]
      expect([name, once - 3, twice - once - 3]).toEqual([name, ...price])
    }
  })

  test('SSTORE needs more than the stipend since Istanbul', () => {
    for (const [fork, halt] of [
      ['petersburg', 'stop'],
      ['istanbul', 'outOfGas'],
    ] as const) {
      const evm = startWorld([[contract, { code: assemble('0 SLOAD 0 SSTORE') }]], { kind, fork })
      const price = fork === 'istanbul' ? 806n + 2300n : 206n + 5000n
      expect(send(evm, { gas: price }).halt).toBe(halt)
    }
  })

  test.each([
    ['homestead', 40 + 25_000],
    ['tangerineWhistle', 700 + 25_000],
    ['spuriousDragon', 700],
    ['berlin', 2600],
  ] as const)('a call of nobody without value on %s', (fork, price) => {
    expect(measure(kind, fork, calls('CALL', nobody, { gas: '0', out: '0 0' }))[0]).toBe(price + 21)
  })

  test.each([
    ['homestead', 40 + 9000 + 25_000],
    ['spuriousDragon', 700 + 9000 + 25_000],
    ['berlin', 2600 + 9000 + 25_000],
  ] as const)('a call of nobody with value on %s: its stipend comes back', (fork, price) => {
    const source = calls('CALL', nobody, { gas: '0', value: '1', out: '0 0' })
    expect(measure(kind, fork, source)[0]).toBe(price + 21 - 2300)
  })

  test.each([
    ['homestead', 0],
    ['tangerineWhistle', 5000 + 25_000],
    ['berlin', 5000 + 25_000 + 2600],
  ] as const)('SELFDESTRUCT in favour of nobody on %s', (fork, price) => {
    expect(measure(kind, fork, `${bytesToBigInt(nobody)} SELFDESTRUCT`)[0]).toBe(price + 3)
  })

  test('what was made warm stays so only if its frame succeeded', () => {
    const touch = assemble(`7 SLOAD ${bytesToBigInt(nobody)} BALANCE`)
    for (const [end, price] of [
      ['STOP', 100 + 100],
      ['INVALID', 2100 + 2600],
    ] as const) {
      const code = Uint8Array.from([...touch, ...assemble(end)])
      const source = `${calls('DELEGATECALL', other, { out: '0 0' })} POP GAS 7 SLOAD ${bytesToBigInt(nobody)} BALANCE GAS POP POP POP GAS`
      const evm = startWorld(
        [
          [contract, { code: assemble(`${source} SWAP1 SUB 0 MSTORE 32 0 RETURN`) }],
          [other, { code }],
        ],
        { kind },
      )
      const spent = bytesToBigInt(send(evm).output)
      expect(Number(spent)).toBe(price + 3 + 3 + 2 + 2 * 3 + 2)
    }
  })

  test('the access list makes addresses and slots warm', () => {
    const source = `${bytesToBigInt(nobody)} BALANCE 5 SLOAD`
    const evm = startWorld([[contract, { code: assemble(source) }]], { kind })
    evm.warmAddress(nobody)
    evm.warmSlot(contract, slotOf(5n))
    expect(limit - send(evm, { gas: limit }).gasLeft).toBe(206n)
  })

  test.each([
    ['1 0 EXP', 10],
    ['1 255 EXP', 10],
    ['0x100 2 EXP', 10 + 2 * 50],
  ])('%s', (source, price) => {
    const exponent = source.startsWith('1 ') ? 50 : 0
    expect(measure(kind, 'osaka', source)[0]).toBe(price + exponent + 6)
  })

  test('memory costs by the square', () => {
    expect(measure(kind, 'osaka', '0 MLOAD')[0]).toBe(3 + 3 + 3)
    expect(measure(kind, 'osaka', '0x10000 MLOAD')[0]).toBe(3 + 3 + 2049 * 3 + Math.floor((2049 * 2049) / 512))
    expect(measure(kind, 'osaka', '1 31 MLOAD MLOAD')[0]).toBe(6 + 6 + 6)
  })

  test('init code is paid by the word since Shanghai', () => {
    const create = '64 0 0 CREATE'
    expect(measure(kind, 'paris', create)[0]).toBe(32_000 + 9 + 6)
    expect(measure(kind, 'shanghai', create)[0]).toBe(32_000 + 9 + 6 + 2 * 2)
  })
})
