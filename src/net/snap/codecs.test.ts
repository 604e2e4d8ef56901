import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampled } from '../../../test/support/wholeRun.ts'
import type { Hash32 } from '../../primitives/bytes.ts'
import { Fault } from '../../primitives/fault.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import { encodeRlp, type RlpItem, scalar } from '../../primitives/rlp.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { kindOf, type SnapKind, type SnapRequests, type SnapResponses, snapRequests } from './messages.ts'
import { decodeRequest, encodeRequest } from './requests.ts'
import { decodeResponse, encodeResponse } from './responses.ts'
import { decodeSlimAccount, encodeSlimAccount } from './slimAccount.ts'

const seed = 51
const numRuns = sampled(100, 2000)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes as Hash32)
const bytes = fc.nat(2 ** 31)
const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const blob = fc.uint8Array({ maxLength: 80 })
const path = fc.uint8Array({ maxLength: 33 })
const account = fc.record({
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  balance: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  storageRoot: fc.oneof(hash, fc.constant(emptyTrieRoot)),
  codeHash: fc.oneof(hash, fc.constant(emptyCodeHash)),
})
const proof = fc.array(blob, { maxLength: 20 })
const slots = fc.array(fc.record({ hash, data: blob }), { maxLength: 6 })
const maybe = fc.option(hash, { nil: undefined })

const requests: { readonly [K in SnapKind]: fc.Arbitrary<SnapRequests[K]> } = {
  accountRange: fc.record({ root: hash, origin: hash, limit: hash, bytes }),
  storageRanges: fc.record({ root: hash, accounts: fc.array(hash), origin: maybe, limit: maybe, bytes }),
  byteCodes: fc.record({ hashes: fc.array(hash), bytes }),
  trieNodes: fc.record({ root: hash, sets: fc.array(fc.array(path, { minLength: 1, maxLength: 5 })), bytes }),
}
const responses: { readonly [K in SnapKind]: fc.Arbitrary<SnapResponses[K]> } = {
  accountRange: fc.record({ accounts: fc.array(fc.record({ hash, account })), proof }),
  storageRanges: fc.record({ slots: fc.array(slots), proof }),
  byteCodes: fc.array(blob),
  trieNodes: fc.array(blob),
}
const kinds = Object.keys(snapRequests) as SnapKind[]

/** Random edits of a message: what arrives is not what was sent. */
const edit = fc.record({ at: fc.nat(), byte: fc.nat(255), how: fc.constantFrom('set', 'cut', 'insert', 'repeat') })
const edits = fc.array(edit, { minLength: 1, maxLength: 4 })

function edited(message: Uint8Array, list: readonly { at: number; byte: number; how: string }[]): Uint8Array {
  let out = [...message]
  for (const { at, byte, how } of list) {
    const place = at % Math.max(1, out.length)
    if (how === 'set') out[place] = byte
    else if (how === 'cut') out = out.slice(0, place)
    else if (how === 'insert') out.splice(place, 0, byte)
    else out.splice(place, 0, ...out.slice(place, place + 40))
  }
  return Uint8Array.from(out)
}

function expectFaultOrValue(decode: () => unknown): void {
  try {
    decode()
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
  }
}

for (const kind of kinds)
  describe(kind, () => {
    test('decoding a request undoes its encoding', () =>
      fc.assert(
        fc.property(id, requests[kind] as fc.Arbitrary<never>, (id, message) => {
          expect(decodeRequest(kind, encodeRequest(kind, id, message))).toEqual({ id, message })
        }),
        { numRuns, seed },
      ))

    test('decoding a response undoes its encoding', () =>
      fc.assert(
        fc.property(id, responses[kind] as fc.Arbitrary<never>, (id, message) => {
          expect(decodeResponse(kind, encodeResponse(kind, id, message))).toEqual({ id, message })
        }),
        { numRuns, seed },
      ))

    test('damaged messages are refused with a fault, or decoded', () =>
      fc.assert(
        fc.property(
          requests[kind] as fc.Arbitrary<never>,
          responses[kind] as fc.Arbitrary<never>,
          edits,
          (asked, told, list) => {
            expectFaultOrValue(() => decodeRequest(kind, edited(encodeRequest(kind, 7n, asked), list)))
            expectFaultOrValue(() => decodeResponse(kind, edited(encodeResponse(kind, 7n, told), list)))
          },
        ),
        { numRuns: sampled(300, 20_000), seed },
      ))

    test('noise is refused', () =>
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
          expectFaultOrValue(() => decodeRequest(kind, noise))
          expectFaultOrValue(() => decodeResponse(kind, noise))
        }),
        { numRuns, seed },
      ))
  })

test('codes alternate between requests and responses', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(kindOf)).toEqual(
    kinds.flatMap((kind) => [
      { kind, isResponse: false },
      { kind, isResponse: true },
    ]),
  )
})

describe('limits', () => {
  const zero = new Uint8Array(32)
  const request = (kind: SnapKind, items: readonly RlpItem[]) => () =>
    decodeRequest(kind, encodeRlp([scalar(1), ...items]))
  const response = (kind: SnapKind, items: readonly RlpItem[]) => () =>
    decodeResponse(kind, encodeRlp([scalar(1), ...items]))

  test('of a request', () => {
    expect(request('byteCodes', [Array(4000).fill(zero), scalar(1)])).toThrow('request of')
    expect(request('byteCodes', [[new Uint8Array(31)], scalar(1)])).toThrow('RLP_WRONG_LENGTH')
    expect(request('byteCodes', [[zero], scalar(1), scalar(1)])).toThrow('RLP_WRONG_LENGTH')
    expect(request('byteCodes', [[zero], scalar(1n << 64n)])).toThrow('RLP_TOO_LARGE')
    expect(request('trieNodes', [zero, [[]], scalar(1)])).toThrow('without paths')
    expect(request('storageRanges', [zero, [zero], new Uint8Array(33), zero, scalar(1)])).toThrow('a hash of 33 bytes')
    expect(request('accountRange', [zero, zero, new Uint8Array(0), scalar(1)])).toThrow('RLP_WRONG_LENGTH')
  })

  test('a size beyond all that is sent is read as large; a short end of a range as a number', () => {
    const items = [zero, [zero], Uint8Array.of(1, 2), new Uint8Array(0), scalar((1n << 64n) - 1n)]
    const { message } = decodeRequest('storageRanges', encodeRlp([scalar(1), ...items]))
    expect(message).toMatchObject({ limit: undefined, bytes: 2 ** 31 })
    expect(message.origin!.subarray(30)).toEqual(Uint8Array.of(1, 2))
  })

  test('of a response', () => {
    const node = new Uint8Array(33)
    expect(response('accountRange', [[], Array(131).fill(node)])).toThrow('list of more than 130 items')
    expect(response('accountRange', [[[zero, [zero]]], []])).toThrow('RLP_WRONG_LENGTH')
    expect(response('accountRange', [[[zero, [scalar(1), scalar(1), node, zero]]], []])).toThrow('RLP_WRONG_LENGTH')
    expect(response('trieNodes', [Array(4097).fill(node)])).toThrow('list of more than 4096 items')
    expect(response('storageRanges', [Array(2000).fill([]), []])).toThrow('list of more than')
    expect(() => decodeResponse('byteCodes', encodeRlp([[], []]))).toThrow('a number that is a list')
  })
})

test('accounts without code and slots are short', () => {
  const account = { nonce: 1n, balance: 256n, storageRoot: emptyTrieRoot, codeHash: emptyCodeHash }
  expect(encodeSlimAccount(account)).toEqual(new Uint8Array(Buffer.from('c6018201008080', 'hex')))
  expect(decodeSlimAccount(new Uint8Array(Buffer.from('c6018201008080', 'hex')))).toEqual(account)
  expect(() => decodeSlimAccount(new Uint8Array(Buffer.from('c600820100808001', 'hex')))).toThrow()
})
