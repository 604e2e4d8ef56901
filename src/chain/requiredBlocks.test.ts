import { expect, test } from 'vitest'
import type { Hash32 } from '../primitives/bytes.ts'
import type { Header } from '../types/header.ts'
import type { ConsensusEngine } from './engine.ts'
import { checkRequiredBlocks, requireBlocks } from './requiredBlocks.ts'
import type { ChainView } from './view.ts'

const hashOf = (fill: number) => new Uint8Array(32).fill(fill) as Hash32
const headerOf = (number: bigint) => ({ number }) as Header
const engine = {
  hash: ({ number }: Header) => hashOf(Number(number)),
  validateHeader: () => 'rules',
} as unknown as ConsensusEngine

test('a block of a required number with another hash is invalid', () => {
  const validate = (number: bigint, required: number) =>
    requireBlocks(engine, [{ number: 7n, hash: hashOf(required) }]).validateHeader(
      headerOf(number),
      undefined as never,
      undefined as never,
    )
  expect(validate(7n, 7)).toBe('rules')
  expect(validate(8n, 9)).toBe('rules')
  expect(() => validate(7n, 9)).toThrow('NOT_THE_REQUIRED_BLOCK')
})

test('a stored chain with another block is refused; one that is shorter is not', () => {
  const view = { hashAt: (number: bigint) => (number < 8n ? hashOf(Number(number)) : undefined) } as ChainView
  const check = (number: bigint, fill: number) => checkRequiredBlocks(view, [{ number, hash: hashOf(fill) }])
  expect(() => check(7n, 7)).not.toThrow()
  expect(() => check(8n, 1)).not.toThrow()
  expect(() => check(7n, 1)).toThrow('block 7 of the data directory is 0x0707')
})
