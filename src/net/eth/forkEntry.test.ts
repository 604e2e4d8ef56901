import { expect, test } from 'vitest'
import { devSpec } from '../../../test/support/testChain.ts'
import { forkIdAt } from '../../forks/forkId.ts'
import { hexToHash } from '../../primitives/hex.ts'
import type { RlpItem } from '../../primitives/rlp.ts'
import { encodeForkEntry, isOfChain } from './forkEntry.ts'

const genesis = hexToHash('11'.repeat(32))
const head = { number: 5n, timestamp: 1_700_000_000n }
const own = forkIdAt(devSpec, genesis, head)

const accepts = (entries: readonly (readonly [string, RlpItem])[]) =>
  isOfChain({ seq: 1n, id: new Uint8Array(64), entries: new Map(entries) }, devSpec, genesis, head)

test('a record is of the chain by its entry `eth`', () => {
  expect(accepts([['eth', encodeForkEntry(own)]])).toBe(true)
  expect(accepts([['eth', encodeForkEntry({ ...own, hash: 1 })]])).toBe(false)
})

test('what a later version adds is no reason to doubt it', () => {
  expect(accepts([['eth', [...(encodeForkEntry(own) as RlpItem[]), new Uint8Array(3)]]])).toBe(true)
})

test('a node that does not tell may be of the chain, one that tells nonsense is not', () => {
  expect(accepts([['snap', []]])).toBe(true)
  for (const entry of [[], new Uint8Array(4), [[]], [[new Uint8Array(3), new Uint8Array(0)]]] as RlpItem[])
    expect(accepts([['eth', entry]])).toBe(false)
})
