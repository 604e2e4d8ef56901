import { describe, expect, test } from 'vitest'
import { rulesOf } from '../forks/rules.ts'
import { type ForkName, forks } from '../forks/table.ts'
import { opTableOf } from './opTables.ts'

/** New opcodes of each fork, by its specification. */
const brought: Partial<Record<ForkName, readonly number[]>> = {
  homestead: [0xf4],
  byzantium: [0x3d, 0x3e, 0xfa, 0xfd],
  constantinople: [0x1b, 0x1c, 0x1d, 0x3f, 0xf5],
  istanbul: [0x46, 0x47],
  london: [0x48],
  shanghai: [0x5f],
  cancun: [0x49, 0x4a, 0x5c, 0x5d, 0x5e],
  osaka: [0x1e],
}

describe('opcode tables', () => {
  test('an opcode exists from its fork on', () => {
    let known = new Set<number>()
    for (const { name } of forks) {
      const now = new Set(opTableOf(rulesOf(name)).flatMap((op) => (op ? [op.code] : [])))
      const fresh = [...now].filter((code) => !known.has(code))
      if (name !== 'frontier') expect([name, fresh]).toEqual([name, brought[name] ?? []])
      expect([...known].every((code) => now.has(code))).toBe(true)
      known = now
    }
    expect(known.size).toBe(149)
  })

  test('positions agree with codes, and no two names are the same', () => {
    for (const { name } of forks) {
      const table = opTableOf(rulesOf(name))
      const names = table.flatMap((op) => (op ? [op.name] : []))
      expect(table.every((op, i) => !op || op.code === i)).toBe(true)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('a price lasts until a fork changes it', () => {
    const prices = (name: string) =>
      forks.map((fork) => opTableOf(rulesOf(fork.name)).find((op) => op?.name === name)?.gas)
    expect(new Set(prices('SLOAD'))).toEqual(new Set([50, 200, 800, 100]))
    expect(new Set(prices('CALL'))).toEqual(new Set([40, 700, 100]))
    expect(new Set(prices('ADD'))).toEqual(new Set([3]))
  })
})
