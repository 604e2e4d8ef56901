import { expect, test } from 'vitest'
import { zeroAddress } from '../../primitives/bytes.ts'
import { combineProducers } from './combineProducers.ts'
import type { Producer } from './producer.ts'

test('both producers get messages and connections', () => {
  const seen: string[] = []
  const create = (name: string): Producer => ({
    protocols: [{ name, version: 1, length: 4 }],
    isRunning: () => name === 'b',
    start: () => seen.push(`${name} starts`),
    stop: () => seen.push(`${name} stops`),
    receive: (protocol) => seen.push(`${name} receives ${protocol}`),
    onLink: () => seen.push(`${name} is linked`),
  })
  const both = combineProducers(create('a'), create('b'))
  both.start()
  both.receive!('x', 0, new Uint8Array(0), zeroAddress)
  both.onLink!(zeroAddress)
  both.stop()
  expect(both.isRunning()).toBe(true)
  expect(both.protocols.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(seen).toEqual(['starts', 'receives x', 'is linked', 'stops'].flatMap((word) => [`a ${word}`, `b ${word}`]))
})
