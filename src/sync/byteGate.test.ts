import { expect, test } from 'vitest'
import { createByteGate } from './byteGate.ts'

test('holds work up while too much waits, except for what is imported next', async () => {
  const gate = createByteGate(1000, 1n, 10)
  const entered: bigint[] = []
  const enter = (number: bigint) => gate.enter(number).then(() => entered.push(number))
  await enter(100n)
  gate.leave(1000)
  const late = enter(200n)
  const soon = enter(20n)
  await enter(10n)
  expect(entered).toEqual([100n, 10n])
  gate.leave(0)
  gate.release(0, 11n)
  await soon
  expect(entered).toEqual([100n, 10n, 20n])
  gate.leave(0)
  gate.release(1000, 101n)
  await late
  expect(entered).toEqual([100n, 10n, 20n, 200n])
})
