import { expectBytes, expectEqual } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { bytesOfKey, compareBytes, keyOf } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { computeRoot } from '../../../src/trie/computeRoot.ts'
import type { Entry } from '../data.ts'
import type { Suite } from '../suite.ts'

const fromText = (text: string) => (text.startsWith('0x') ? toBytes(text) : new TextEncoder().encode(text))

function checkRoot(path: string, test: { in: unknown; root: string }): void {
  const writes = (Array.isArray(test.in) ? test.in : Object.entries(test.in as object)) as [string, string | null][]
  const secure = /secure/i.test(path)
  const leaves = new Map<string, Uint8Array>()
  for (const [keyText, value] of writes) {
    const key = fromText(keyText)
    const place = keyOf(secure ? keccak256(key) : key)
    if (value === null) leaves.delete(place)
    else leaves.set(place, fromText(value))
  }
  const sorted = [...leaves]
    .map(([key, value]): [Uint8Array, Uint8Array] => [bytesOfKey(key), value])
    .sort(([a], [b]) => compareBytes(a, b))
  expectBytes('root', computeRoot(sorted), toBytes(test.root))
}

/** Neighbours in the order of keys, which every range over the trie relies on. */
function checkNeighbours(test: { in: readonly string[]; tests: readonly (readonly [string, string, string])[] }): void {
  const keys = test.in.map(fromText).sort(compareBytes)
  const text = (key: Uint8Array | undefined) => (key ? new TextDecoder().decode(key) : '')
  for (const [at, before, after] of test.tests) {
    expectEqual(`before ${at}`, text(keys.findLast((key) => compareBytes(key, fromText(at)) < 0)), before)
    expectEqual(`after ${at}`, text(keys.find((key) => compareBytes(key, fromText(at)) > 0)), after)
  }
}

function check({ path, test }: Entry): void {
  if (path.endsWith('trietestnextprev.json')) checkNeighbours(test as Parameters<typeof checkNeighbours>[0])
  else checkRoot(path, test as Parameters<typeof checkRoot>[1])
}

export const trie: Suite = {
  name: 'trie',
  doc: 'TrieTests: roots of plain and secure tries.',
  async *cases(data) {
    for await (const entry of data.entries({ bundles: /^trie/, folders: ['TrieTests'] }))
      yield { name: `${entry.path} ${entry.name}`, run: () => check(entry) }
  },
}
