import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { initiate, respond } from '../../../test/support/localKeys.ts'
import { keyNumber } from '../../../test/support/netHarness.ts'
import { curve } from '../../primitives/secp256k1.ts'
import { createFrameCodec, type Frame, type FrameCodec } from './frames.ts'

function pair(limit = 0xffffff): [FrameCodec, FrameCodec] {
  const [a, b] = [keyNumber(1), keyNumber(2)]
  const initiation = initiate(a, curve.publicKey(b), randomBytes)
  const answer = respond(b, initiation.auth, randomBytes)!
  const { secrets } = initiation.finish(answer.ack!)!
  return [createFrameCodec(secrets, limit), createFrameCodec(answer.secrets, limit)]
}

function all(codec: FrameCodec): Frame[] {
  const frames: Frame[] = []
  for (let frame = codec.next(); frame; frame = codec.next()) frames.push(frame)
  return frames
}

describe('frames', () => {
  test('come out as they went in, in order and however the bytes are cut', () => {
    const message = fc.record({ code: fc.integer({ min: 0, max: 0x7f }), payload: fc.uint8Array({ maxLength: 300 }) })
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 200 }), (sent, step) => {
        const [a, b] = pair()
        const bytes = Buffer.concat(sent.map(({ code, payload }) => a.encode(code, payload)))
        const got: Frame[] = []
        for (let at = 0; at < bytes.length; at += step) {
          b.push(bytes.subarray(at, at + step))
          got.push(...all(b))
        }
        expect(got.map(({ code, payload }) => ({ code, payload: Uint8Array.from(payload) }))).toEqual(sent)
      }),
      { numRuns: 30 },
    )
  })

  test('go both ways at once', () => {
    const [a, b] = pair()
    for (let i = 0; i < 5; i++) {
      b.push(a.encode(1, Uint8Array.of(i)))
      a.push(b.encode(2, Uint8Array.of(i, i)))
      expect(all(b)[0]!.payload).toEqual(Buffer.of(i))
      expect(all(a)[0]!.payload).toEqual(Buffer.of(i, i))
    }
  })

  test('whatever bit is changed, they are refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 * (32 + 16 + 16) - 1 }), (bit) => {
        const [a, b] = pair()
        const bytes = a.encode(0, new Uint8Array(9))
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        b.push(bytes)
        expect(() => b.next()).toThrow('authentication code')
      }),
      { numRuns: 40 },
    )
  })

  test('above the limit are refused before their body is there', () => {
    const [a, b] = pair(100)
    b.push(a.encode(5, new Uint8Array(100)).subarray(0, 32))
    expect(() => b.next()).toThrow('101 bytes')
  })
})
