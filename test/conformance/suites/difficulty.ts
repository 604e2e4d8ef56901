import { expectEqual } from '../../../src/evmtool/expect.ts'
import { toNumber } from '../../../src/evmtool/json.ts'
import { networkSpec } from '../../../src/evmtool/networks.ts'
import { nextDifficulty } from '../../../src/execution/difficulty.ts'
import { zeroHash } from '../../../src/primitives/bytes.ts'
import { blankHeader, emptyOmmersHash } from '../../../src/types/header.ts'
import type { Entry, Group } from '../data.ts'
import type { Suite } from '../suite.ts'

interface DifficultyTest {
  readonly currentBlockNumber: string
  readonly currentDifficulty: string
  readonly currentTimestamp: string
  readonly parentDifficulty: string
  readonly parentTimestamp: string
  /** Whether the parent had ommers; absent for rules that do not ask. */
  readonly parentUncles?: string
}

/** Upstream spells out hashes in older files and 0 or 1 in newer ones. */
function hasOmmers(uncles: string | undefined): boolean {
  if (uncles === undefined) return false
  return uncles.length > 4 ? toNumber(uncles) !== toNumber(emptyUncles) : toNumber(uncles) > 0n
}
const emptyUncles = `0x${Buffer.from(emptyOmmersHash).toString('hex')}`

function check({ fork, test }: Entry): void {
  const t = test as DifficultyTest
  const parent = {
    ...blankHeader,
    number: toNumber(t.currentBlockNumber) - 1n,
    timestamp: toNumber(t.parentTimestamp),
    difficulty: toNumber(t.parentDifficulty),
    ommersHash: hasOmmers(t.parentUncles) ? zeroHash : emptyOmmersHash,
  }
  const timestamp = toNumber(t.currentTimestamp)
  const rules = networkSpec(fork!).rulesAt({ number: parent.number + 1n, timestamp })
  const have = nextDifficulty(parent, timestamp, rules)
  expectEqual('difficulty', have, toNumber(t.currentDifficulty))
}

const group: Group = {
  bundles: /^difficulty/,
  folders: ['DifficultyTests', 'BasicTests'],
  files: (path) => !/BasicTests\/(?!difficulty)/.test(path),
}

export const difficulty: Suite = {
  name: 'difficulty',
  doc: 'DifficultyTests: difficulty of a header from its parent, by fork.',
  async *cases(data) {
    for await (const entry of data.entries(group))
      yield { name: `${entry.path} ${entry.name} ${entry.fork}`, run: () => check(entry) }
  },
}
