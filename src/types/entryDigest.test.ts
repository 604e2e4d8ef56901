import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keccak256 } from '../primitives/keccak.ts'
import { entryDigest } from './entryDigest.ts'

test('digests are right, also of entries in one bucket', () => {
  // Few last bytes and both lengths: most entries share a bucket with another one.
  const entry = fc
    .tuple(fc.constantFrom(20, 32), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([length, fill, last]) => new Uint8Array(length).fill(fill).fill(last, -2))
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 40 }), (entries) => {
      for (const one of entries) expect(new Uint8Array(entryDigest(one))).toEqual(keccak256(one))
    }),
  )
})
