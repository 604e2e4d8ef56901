import type { Random } from '../random.ts'
import type { ChainWords } from './populate.ts'
import type { Seeds } from './seeds.ts'

/** What mutations put in the place of other values. */
export interface Words {
  /** Something for a text of that kind. */
  textLike(text: string): string
  /** Any JSON value. */
  any(): unknown
  /** A member that some request has in one of its objects. */
  member(): readonly [name: string, value: unknown]
}

const numbers: readonly string[] = [
  '0x0',
  '0x1',
  '0x',
  '0x00',
  '0x01',
  '0x7fffffff',
  '0xffffffff',
  '0x1fffffffffffff',
  '0x20000000000000',
  '0x7fffffffffffffff',
  '0xffffffffffffffff',
  '0x10000000000000000',
  `0x${'f'.repeat(64)}`,
  `0x1${'0'.repeat(64)}`,
  '-0x1',
  '-1',
  '0',
  '1',
  '1e3',
]
const texts: readonly string[] = [
  'latest',
  'pending',
  'earliest',
  'safe',
  'finalized',
  '',
  ' ',
  '0X1',
  '0xg',
  'null',
  'true',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '💥',
  '%s%n',
  `0x${'ab'.repeat(5_000)}`,
  `0x${'5b600056'.repeat(3)}`,
]
const plain: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e300,
  [],
  {},
  [[]],
  [null],
  { '': '' },
]

function membersIn(json: unknown, found: [string, unknown][]): void {
  if (typeof json !== 'object' || json === null) return
  for (const [name, value] of Object.entries(json)) {
    if (!Array.isArray(json)) found.push([name, value])
    membersIn(value, found)
  }
}

/** Values at the edge of what is right, values of the chain, and those of other requests. */
export function createWords(random: Random, { calls }: Seeds, chain: ChainWords): Words {
  const members: [string, unknown][] = []
  for (const seeds of calls.values()) for (const { params } of seeds) membersIn(params, members)
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as unknown

  function textLike(text: string): string {
    if (text.length === 66 && random.percent(70)) return random.pick(chain.hashes)
    if (text.length === 42 && random.percent(70)) return random.pick(chain.addresses)
    if (text.startsWith('0x') && random.percent(60)) return random.pick(random.percent(40) ? chain.numbers : numbers)
    return random.pick(random.percent(50) ? texts : numbers)
  }

  return {
    textLike,
    any() {
      const kind = random.below(10)
      if (kind < 4) return random.pick(plain)
      if (kind < 5) return deep
      if (kind < 6 && members.length > 0) return random.pick(members)[1]
      return textLike(random.pick(['', '0x', '0x'.padEnd(42, '0'), '0x'.padEnd(66, '0')]))
    },
    member: () => (members.length > 0 ? random.pick(members) : ['to', '0x']),
  }
}
