import { expect, test } from 'vitest'
import { createKeyCaution, listeningPatience } from './keyCaution.ts'

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

test('who comes back listens for some heights, and is on the alert for two turns of all after that', () => {
  const { caution, at, told } = open(0.5)
  caution.listen(10n, 4, 2)
  expect([at(10n), at(13n), at(14n)]).toEqual([true, true, false])
  expect([caution.isDoubtful(10n), caution.isYoung(22n), caution.isYoung(23n)]).toEqual([false, true, false])
  expect(told).toEqual([])
})

test('who has missed nothing listens to nobody, and is on the alert', () => {
  const { caution, at } = open(0.5)
  caution.listen(10n, 4, 0)
  expect([at(10n), caution.isYoung(18n), caution.isYoung(19n)]).toEqual([false, true, false])
})

test('what another has said is a reason as a block is, and news only once', () => {
  const { caution, at, told } = open()
  expect([caution.suspect(11n, 4), caution.suspect(11n, 4)]).toEqual([true, false])
  expect([at(15n), at(16n), caution.isDoubtful(15n)]).toEqual([true, false, true])
  expect(told).toEqual([[16n, 11n]])
  // A block of that height, or of one before, says nothing new.
  expect(at(16n, 11n)).toBe(false)
})

test('the chain is not held up by who only listens', () => {
  const { caution, at } = open()
  caution.listen(10n, 4, 2)
  caution.relent()
  expect(at(10n)).toBe(false)
  expect([listeningPatience(1000), listeningPatience(5000)]).toEqual([2000, 10_000])
})
