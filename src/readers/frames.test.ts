import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createFrameReader,
  decodeFromReader,
  decodeToReader,
  encodeFromReader,
  encodeToReader,
  type FromReader,
  type ToReader,
} from './frames.ts'

const id = fc.nat(2 ** 32 - 1)
const text = fc.string({ unit: 'grapheme' })
const status = fc.nat(599)

const toReader: fc.Arbitrary<ToReader> = fc.oneof(
  fc.record({ kind: fc.constant('settings' as const), settings: fc.record({ gasCap: fc.bigInt(), path: text }) }),
  fc.record({
    kind: fc.constantFrom('rpc' as const, 'graphql' as const),
    id,
    heads: id,
    context: fc.option(fc.record({ time: fc.bigInt() }), { nil: undefined }),
    text,
  }),
)

const fromReader: fc.Arbitrary<FromReader> = fc.oneof(
  fc.record({ kind: fc.constant('ready' as const) }),
  fc.record({ kind: fc.constantFrom('reply' as const, 'file' as const), id, status, cost: id, text }),
  fc.record({ kind: fc.constant('error' as const), method: text, text }),
  fc.record({ kind: fc.constant('printed' as const), text }),
)

/** Passes frames through a stream that cuts them into pieces. */
function throughPieces(frames: readonly Buffer[], size: number): Buffer[] {
  const got: Buffer[] = []
  const read = createFrameReader((frame) => got.push(frame))
  const all = Buffer.concat(frames)
  for (let at = 0; at < all.length; at += size) read(all.subarray(at, at + size))
  return got
}

test('what is sent to a reader arrives, however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(toReader), fc.integer({ min: 1, max: 64 }), (messages, size) => {
      expect(throughPieces(messages.map(encodeToReader), size).map(decodeToReader)).toEqual(messages)
    }),
  )
})

test('what a reader sends arrives, however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fromReader), fc.integer({ min: 1, max: 64 }), (messages, size) => {
      expect(throughPieces(messages.map(encodeFromReader), size).map(decodeFromReader)).toEqual(messages)
    }),
  )
})
