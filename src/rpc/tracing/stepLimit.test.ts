import { expect, test } from 'vitest'
import { traceOptions, withStepLimit } from './traceOptions.ts'

const limitOf = (json: object, max?: number) => {
  const options = withStepLimit(traceOptions.decode(json), max)
  return options.tracer === 'structLogs' ? options.steps.limit : undefined
}

test('a request may ask for fewer steps than the operator allows, and never gets more', () => {
  expect([
    limitOf({}),
    limitOf({ limit: 5 }),
    limitOf({}, 10),
    limitOf({ limit: 5 }, 10),
    limitOf({ limit: 50 }, 10),
  ]).toEqual([0, 5, 10, 5, 10])
  expect(limitOf({ tracer: 'callTracer', limit: 5 }, 10)).toBeUndefined()
  expect(() => traceOptions.decode({ limit: -1 })).toThrow('INVALID_PARAMS')
})

test('enableMemory decides about memory, where it is given', () => {
  const memoryOf = (json: object) => (traceOptions.decode(json) as { steps: { memory: boolean } }).steps.memory
  expect(
    [{}, { disableMemory: true }, { enableMemory: false }, { enableMemory: true, disableMemory: true }].map(memoryOf),
  ).toEqual([true, false, false, true])
})
