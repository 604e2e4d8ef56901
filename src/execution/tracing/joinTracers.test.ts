import { expect, test } from 'vitest'
import type { Step, StepEnd, Tracer } from '../../evm/tracer.ts'
import { joinTracers } from './joinTracers.ts'

const seen: string[] = []
const watching = (name: string, watches?: readonly number[]): Tracer => ({
  ...(watches && { watches }),
  onStep: ({ op }) => void seen.push(`${name} ${op}`),
  onStepEnd: ({ op }) => void seen.push(`${name} after ${op}`),
})
const step = (op: number, error?: string) => ({ op, error }) as unknown as Step & StepEnd

test('each sees the steps that it watches, and the ends of those that fail', () => {
  const joined = joinTracers([watching('a', [1]), watching('b', [2]), { onEnter: () => void seen.push('c enters') }])
  expect(joined.watches).toEqual([1, 2])
  joined.onStep!(step(1))
  joined.onStepEnd!(step(1))
  joined.onStepEnd!(step(2, 'outOfGas'))
  joined.onEnter!({} as never)
  expect(seen.splice(0)).toEqual(['a 1', 'a after 1', 'a after 2', 'b after 2', 'c enters'])
})

test('one that watches all steps sees all, and the others do not', () => {
  const joined = joinTracers([watching('a', [1]), watching('b')])
  expect(joined.watches).toBeUndefined()
  joined.onStep!(step(2))
  expect(seen.splice(0)).toEqual(['b 2'])
})
