import { expect, test } from 'vitest'
import { createKeyCaution } from './keyCaution.ts'

function open(chance = 0) {
  const told: (readonly [bigint, bigint])[] = []
  const caution = createKeyCaution({ random: () => chance, onSilence: (...one) => void told.push(one) })
  const at = (head: bigint, found?: bigint, validators = 4) =>
    caution.isSilentOn(head, validators, (after) => (found !== undefined && found > after ? found : undefined))
  return { told, caution, at }
}

test('a key that has signed nothing unknown may sign', () => {
  const { told, at } = open()
  expect([at(1n), at(1000n)]).toEqual([false, false])
  expect(told).toEqual([])
})

test('after an unknown block nothing is signed for a turn of all, and longer while there are more', () => {
  const { told, at } = open()
  expect([at(10n, 8n), at(11n, 8n), at(12n, 8n), at(13n, 8n)]).toEqual([true, true, true, false])
  expect([at(20n, 20n), at(24n, 24n), at(28n, 24n), at(29n, 24n)]).toEqual([true, true, true, false])
  expect(told).toEqual([
    [13n, 8n],
    [25n, 20n],
    [29n, 24n],
  ])
})

test('of two that wait for the same block one is first', () => {
  const [one, other] = [open(0.1), open(0.9)]
  expect([one.at(9n, 8n), other.at(9n, 8n)]).toEqual([true, true])
  expect([one.at(14n, 8n), other.at(14n, 8n)]).toEqual([false, true])
  // It sees the block that the first one has taken part in.
  expect([other.at(15n, 15n), other.at(26n, 15n)]).toEqual([true, true])
})

test('a validator that is alone never waits, and others not forever', () => {
  const { caution, at } = open()
  expect(at(10n, 10n, 1)).toBe(false)
  expect(at(10n, 10n)).toBe(true)
  caution.relent()
  expect(at(10n, 10n)).toBe(false)
  expect(at(11n, 11n)).toBe(true)
})
