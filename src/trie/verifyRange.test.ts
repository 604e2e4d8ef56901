import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyIn, provenTrie, trieSpaces, trieValue } from '../../test/support/provenTrie.ts'
import { sampled } from '../../test/support/wholeRun.ts'
import { compareBytes, equalBytes, type Hash32, keyOf } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem } from '../primitives/rlp.ts'
import { emptyTrieRoot } from '../types/account.ts'
import type { TrieEntry } from './computeRoot.ts'
import { decodeHexPrefix, decodeNode } from './decodeNode.ts'
import { toNibbles } from './nibbles.ts'
import { proveRange } from './proveRange.ts'
import { type ProvenRange, type RangeVerdict, verifyRange } from './verifyRange.ts'

const seed = 50

/** What a claim is worth by looking at the whole trie: undefined if it is false. */
function judge(sorted: readonly TrieEntry[], { origin, entries, proof }: ProvenRange): RangeVerdict | undefined {
  const last = entries.at(-1)?.[0]
  const isWhole = proof === undefined
  const true_ = sorted.filter(
    ([key]) => isWhole || (compareBytes(key, origin) >= 0 && (last === undefined || compareBytes(key, last) <= 0)),
  )
  const isSame =
    true_.length === entries.length &&
    true_.every(([key, value], i) => equalBytes(key, entries[i]![0]) && equalBytes(value, entries[i]![1]))
  if (!isSame) return undefined
  return { more: !isWhole && last !== undefined && sorted.some(([key]) => compareBytes(key, last) > 0) }
}

function verdictOf(claim: ProvenRange): RangeVerdict | 'refused' {
  try {
    return verifyRange(claim)
  } catch {
    return 'refused'
  }
}

type Lie = (claim: ProvenRange, pick: number, other: TrieEntry) => ProvenRange

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, i) => i !== at)
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const out = bytes.slice()
  out[at % out.length]! ^= 1 << (at % 8)
  return out
}

const place = (pick: number, list: readonly unknown[]) => pick % Math.max(1, list.length)

/** What a hostile server does to the entries; a claim may stay true. */
const liesOfEntries: Record<string, Lie> = {
  'leaves one out': (claim, pick) => ({ ...claim, entries: without(claim.entries, place(pick, claim.entries)) }),
  'leaves all out': (claim) => ({ ...claim, entries: [] }),
  'leaves the first out': (claim) => ({ ...claim, entries: claim.entries.slice(1) }),
  'leaves the last out': (claim) => ({ ...claim, entries: claim.entries.slice(0, -1) }),
  'adds one': (claim, _, other) => ({
    ...claim,
    entries: [...claim.entries.filter(([key]) => !equalBytes(key, other[0])), other].sort(([a], [b]) =>
      compareBytes(a, b),
    ),
  }),
  'alters a value': (claim, pick) => ({
    ...claim,
    entries: claim.entries.map(([key, value], i) =>
      i === place(pick, claim.entries) ? [key, flipped(value, pick)] : [key, value],
    ),
  }),
  'alters a key': (claim, pick) => ({
    ...claim,
    entries: claim.entries.map(([key, value], i) =>
      i === place(pick, claim.entries) ? [flipped(key, pick), value] : [key, value],
    ),
  }),
  'swaps two': (claim, pick) => {
    const entries = [...claim.entries]
    const at = place(pick, entries)
    if (at + 1 < entries.length) [entries[at], entries[at + 1]] = [entries[at + 1]!, entries[at]!]
    return { ...claim, entries }
  },
  'says one twice': (claim, pick) => {
    const at = place(pick, claim.entries)
    return { ...claim, entries: [...claim.entries.slice(0, at + 1), ...claim.entries.slice(at)] }
  },
  'empties a value': (claim, pick) => ({
    ...claim,
    entries: claim.entries.map(([key, value], i) =>
      i === place(pick, claim.entries) ? [key, new Uint8Array()] : [key, value],
    ),
  }),
  'says that this is all': (claim) => ({ ...claim, proof: undefined }),
  'proves another origin': (claim, _, other) => ({ ...claim, origin: other[0] }),
}

/** What it does to the proof: always refused. */
const liesOfProof: Record<string, Lie> = {
  'drops a node': (claim, pick) => ({ ...claim, proof: without(claim.proof!, place(pick, claim.proof!)) }),
  'drops all': (claim) => ({ ...claim, proof: [] }),
  'alters a node': (claim, pick) => ({
    ...claim,
    proof: claim.proof!.map((node, i) => (i === place(pick, claim.proof!) ? flipped(node, pick) : node)),
  }),
  'cuts a node': (claim, pick) => ({
    ...claim,
    proof: claim.proof!.map((node, i) => (i === place(pick, claim.proof!) ? node.slice(0, -1) : node)),
  }),
  'adds a node': (claim, pick) => ({ ...claim, proof: [...claim.proof!, Uint8Array.of(0xc1, pick % 0x80)] }),
  'adds noise': (claim, pick) => ({ ...claim, proof: [Uint8Array.of(pick), ...claim.proof!] }),
  'has another root': (claim, pick) => ({ ...claim, root: flipped(claim.root, pick) as Hash32 }),
}

describe('ranges', () => {
  for (const { name, keyBytes, digits } of trieSpaces) {
    const key = keyIn(keyBytes, digits)
    const entries = fc.uniqueArray(fc.tuple(key, trieValue), { maxLength: 24, selector: ([k]) => keyOf(k) })
    const claim = fc.tuple(entries, key, fc.nat(8), fc.nat(100_000), fc.tuple(key, trieValue))

    test(`honest ones are believed, with whether more follows: ${name}`, () => {
      fc.assert(
        fc.property(claim, ([entries, origin, max]) => {
          const trie = provenTrie(entries)
          const whole = { root: trie.root, origin: new Uint8Array(keyBytes), entries: trie.sorted, proof: undefined }
          expect(verifyRange(whole)).toEqual({ more: false })
          if (entries.length === 0) return
          const honest = trie.answer(origin, max + 1)
          expect(verifyRange(honest)).toEqual(judge(trie.sorted, honest))
          const again = { ...honest, proof: [...honest.proof!, ...honest.proof!] }
          expect(verifyRange(again)).toEqual(judge(trie.sorted, honest))
        }),
        { numRuns: sampled(150, 3000), seed },
      )
    })

    test(`what is believed is true: ${name}`, () => {
      fc.assert(
        fc.property(claim, ([entries, origin, max, pick, other]) => {
          const trie = provenTrie(entries)
          if (entries.length === 0) return
          const honest = trie.answer(origin, max + 1)
          for (const [lie, tell] of Object.entries(liesOfEntries)) {
            const told = tell(honest, pick, other)
            const verdict = verdictOf(told)
            if (verdict !== 'refused') expect({ lie, ...verdict }).toEqual({ lie, ...judge(trie.sorted, told) })
          }
          for (const [lie, tell] of Object.entries(liesOfProof)) {
            const told = tell(honest, pick, other)
            expect({ lie, verdict: verdictOf(told) }).toEqual({ lie, verdict: 'refused' })
          }
        }),
        { numRuns: sampled(150, 3000), seed },
      )
    })
  }
})

describe('cases', () => {
  const keyAt = (n: number) => keccak256(Uint8Array.of(n >>> 8, n))
  const entries = [...Array(500).keys()].map((n): TrieEntry => [keyAt(n), new Uint8Array(70).fill(n + 1)])
  const trie = provenTrie(entries)
  const { sorted, answer } = trie
  const zero = new Uint8Array(32)
  const above = (key: Uint8Array) => {
    const next = key.slice()
    next[31]!++
    return next
  }
  const fault = (claim: ProvenRange) => {
    try {
      return verifyRange(claim)
    } catch (error) {
      return (error as { at?: { code: string } }).at?.code
    }
  }

  test('the whole trie without a proof, and with the proof of its ends', () => {
    expect(verifyRange({ ...answer(zero, 500), proof: undefined })).toEqual({ more: false })
    expect(verifyRange(answer(zero, 500))).toEqual({ more: false })
    expect(fault({ ...answer(zero, 499), proof: undefined })).toBe('RANGE_MISMATCH')
    expect(fault({ ...answer(above(zero), 500), proof: [] })).toBe('PROOF_INCOMPLETE')
  })

  test('an empty trie', () => {
    expect(verifyRange({ root: emptyTrieRoot, origin: zero, entries: [], proof: undefined })).toEqual({ more: false })
    expect(fault({ root: emptyTrieRoot, origin: zero, entries: [], proof: [] })).toBe('PROOF_INCOMPLETE')
  })

  test('one element: the first, one in the middle, the last; from its own key and from one below', () => {
    for (const at of [0, 250, 499]) {
      const [key] = sorted[at]!
      expect(verifyRange(answer(key, 1))).toEqual({ more: at < 499 })
      const below = at === 0 ? zero : above(sorted[at - 1]![0])
      expect(verifyRange(answer(below, 1))).toEqual({ more: at < 499 })
    }
  })

  test('nothing from the origin on', () => {
    const last = sorted.at(-1)![0]
    expect(verifyRange(answer(above(last), 1))).toEqual({ more: false })
    expect(verifyRange(answer(new Uint8Array(32).fill(0xff), 1))).toEqual({ more: false })
  })

  test('nothing is claimed, but something follows', () => {
    for (const origin of [zero, sorted[250]![0], above(sorted[498]![0]), sorted[499]![0]]) {
      const proof = proveRange(trie.reader, toNibbles(origin), undefined)
      expect(fault({ ...answer(origin, 1), entries: [], proof })).toBe('RANGE_MISMATCH')
    }
  })

  test('gaps are refused, wherever they are', () => {
    const claim = answer(sorted[100]![0], 200)
    for (let at = 1; at < 199; at++)
      expect(fault({ ...claim, entries: without(claim.entries, at) })).toBe('RANGE_MISMATCH')
    expect(fault({ ...claim, entries: claim.entries.slice(1) })).toBe('RANGE_MISMATCH')
    expect(fault({ ...claim, entries: claim.entries.slice(0, -1) })).not.toBe(undefined)
  })

  test('keys before the origin, twice, or in the wrong order', () => {
    const claim = answer(sorted[100]![0], 5)
    expect(fault({ ...claim, origin: above(sorted[100]![0]) })).toBe('RANGE_NOT_SORTED')
    expect(fault({ ...claim, origin: sorted[300]![0] })).toBe('RANGE_NOT_SORTED')
    expect(fault({ ...claim, entries: claim.entries.toReversed() })).toBe('RANGE_NOT_SORTED')
    expect(fault({ ...claim, entries: [...claim.entries, claim.entries.at(-1)!] })).toBe('RANGE_NOT_SORTED')
    expect(fault({ ...claim, entries: [[sorted[100]![0], new Uint8Array()]] })).toBe('RANGE_NOT_SORTED')
    expect(fault({ ...claim, entries: [[sorted[100]![0].slice(1), new Uint8Array(1)]] })).toBe('RANGE_NOT_SORTED')
  })

  test('a proof of another origin or another last key', () => {
    const claim = answer(sorted[100]![0], 50)
    expect(fault({ ...claim, proof: answer(sorted[101]![0], 49).proof })).toMatch(/PROOF_/)
    expect(fault({ ...claim, proof: answer(sorted[100]![0], 51).proof })).toMatch(/PROOF_/)
  })

  test('nodes that are no nodes: authentic bytes, but a root of our own making', () => {
    const forged = (item: RlpItem) => {
      const node = encodeRlp(item)
      return fault({ root: keccak256(node), origin: zero, entries: [], proof: [node] })
    }
    const nothing = new Uint8Array()
    const branch = Array<RlpItem>(16).fill(nothing)
    expect(forged(nothing)).toBe('PROOF_MALFORMED')
    expect(forged([])).toBe('PROOF_MALFORMED')
    expect(forged([...branch, Uint8Array.of(1)])).toBe('PROOF_MALFORMED')
    expect(forged([...branch, []])).toBe('PROOF_MALFORMED')
    expect(forged([...branch.slice(1), new Uint8Array(31), nothing])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0), zero])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0x40), zero])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0x21), zero])).toBe('PROOF_MALFORMED')
    expect(forged([nothing, zero])).toBe('PROOF_MALFORMED')
    expect(forged([[], zero])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0x20), nothing])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0x20), zero])).toBe('PROOF_MALFORMED')
    expect(forged([Uint8Array.of(0x11), nothing])).toBe('PROOF_MALFORMED')
    expect(forged([new Uint8Array(33), zero])).toBe('PROOF_MALFORMED')
  })

  test('embedded nodes that end before the key does', () => {
    let item: RlpItem = [Uint8Array.of(0x20, 1), Uint8Array.of(1)]
    for (let i = 0; i < 8; i++) item = [Uint8Array.of(0x10), item]
    const node = encodeRlp(item)
    expect(fault({ root: keccak256(node), origin: zero, entries: [], proof: [node] })).toBe('PROOF_MALFORMED')
  })

  test('paths in hex-prefix form', () => {
    expect(decodeHexPrefix(Uint8Array.of(0x00))).toEqual({ path: new Uint8Array(), leaf: false })
    expect(decodeHexPrefix(Uint8Array.of(0x00, 0x12))).toEqual({ path: Uint8Array.of(1, 2), leaf: false })
    expect(decodeHexPrefix(Uint8Array.of(0x31, 0x23))).toEqual({ path: Uint8Array.of(1, 2, 3), leaf: true })
  })

  test('decoding a node undoes its encoding', () => {
    const leaf = decodeRlp(encodeRlp([Uint8Array.of(0x31), Uint8Array.of(9)]))
    expect(decodeNode(encodeRlp(leaf))).toEqual({ kind: 'leaf', path: Uint8Array.of(1), value: Uint8Array.of(9) })
  })
})
