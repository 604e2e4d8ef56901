import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HashedHeader } from '../../chain/view.ts'
import { type Address, type Hash32, keyOf, toAddress, zeroHash } from '../../primitives/bytes.ts'
import { blankHeader, encodeHeader, fieldOfEncodedHeader, headerHash } from '../../types/header.ts'
import { castVote, startTally, type Tally, type Vote } from './tally.ts'
import { createTallyHistory } from './tallyHistory.ts'

const account = (n: number): Address => toAddress(new Uint8Array(20).fill(n))
const numbers = (tally: Tally) => tally.validators.map((address) => address[0])

/** Headers that tell of votes in a form of their own: proposer, subject and word in three bytes of extra data. */
function createBranches(epochLength: number, setAfter?: (number: bigint) => readonly Address[] | undefined) {
  const known = new Map<string, HashedHeader>()
  const records = new Map<string, Uint8Array>()
  let reads = 0
  const genesis: HashedHeader = { header: blankHeader, hash: zeroHash }
  known.set(keyOf(genesis.hash), genesis)
  const voteIn = ({ header: { extraData } }: HashedHeader): Vote | undefined => {
    const [proposer, subject, word] = extraData
    return proposer ? { proposer: account(proposer), subject: account(subject!), add: word === 1 } : undefined
  }
  const history = (storedFrom?: bigint, epochsFrom?: bigint) =>
    createTallyHistory({
      epochLength,
      epochsFrom,
      listedIn: () => [account(1)],
      ...(setAfter && { setAfter }),
      voteIn,
      storedFrom,
      hasVote: (encodedHeader) => fieldOfEncodedHeader(encodedHeader, 'extraData').length > 0,
    })
  const chain = {
    genesis,
    history,
    voteIn,
    reads: () => reads,
    parentOf: ({ header }: HashedHeader) => known.get(keyOf(header.parentHash))!,
    /** Stores the tally after a block if it is one of those whose tallies are stored. */
    store(block: HashedHeader) {
      const record = history().recordAfter(block, () => ({ ...chain, engineRecord: () => undefined }))
      if (record) records.set(keyOf(block.hash), record)
    },
    engineRecord: (hash: Hash32) => records.get(keyOf(hash)),
    encodedHeader(hash: Hash32) {
      reads++
      const block = known.get(keyOf(hash))
      return block && encodeHeader(block.header)
    },
    add(parent: HashedHeader, vote: readonly [number, number, boolean] | undefined, branch = 0): HashedHeader {
      const extraData = vote ? Uint8Array.of(vote[0], vote[1], vote[2] ? 1 : 0) : new Uint8Array(0)
      const gasUsed = BigInt(branch)
      const header = { ...blankHeader, parentHash: parent.hash, number: parent.header.number + 1n, extraData, gasUsed }
      const sealed = { header, hash: headerHash(header) }
      known.set(keyOf(sealed.hash), sealed)
      return sealed
    },
  }
  return chain
}

describe('counting', () => {
  test('starts afresh at an epoch, whose own vote does not count', () => {
    const chain = createBranches(3)
    const history = chain.history()
    const one = chain.add(chain.genesis, [1, 2, true])
    const two = chain.add(one, [1, 3, true])
    const three = chain.add(two, [1, 9, true])
    const four = chain.add(three, undefined)
    expect([chain.genesis, one, two, three, four].map((block) => numbers(history.after(block, chain)))).toEqual([
      [1],
      [1, 2],
      [1, 2],
      [1],
      [1],
    ])
    expect(history.after(two, chain).votes.size).toBe(1)
    expect(history.after(three, chain).votes.size).toBe(0)
  })

  test('epochs are counted from the block that an engine begins with', () => {
    const chain = createBranches(3)
    const history = chain.history(undefined, 4n)
    const blocks: HashedHeader[] = []
    for (let i = 1; i <= 8; i++) blocks.push(chain.add(blocks.at(-1) ?? chain.genesis, [1, i, true]))
    const sizes = blocks.slice(3).map((block) => [block.header.number, numbers(history.after(block, chain)).length])
    expect(sizes).toEqual([
      [4n, 1],
      [5n, 2],
      [6n, 2],
      [7n, 1],
      [8n, 2],
    ])
  })

  test('a configured set replaces what was voted; the vote right in front of it comes on top', () => {
    const chain = createBranches(100, (number) => (number === 2n ? [account(7)] : undefined))
    const history = chain.history()
    const one = chain.add(chain.genesis, [1, 2, true])
    const two = chain.add(one, [7, 8, true])
    const three = chain.add(two, undefined)
    expect(numbers(history.after(one, chain))).toEqual([1, 2])
    expect(numbers(history.after(two, chain))).toEqual([7, 8])
    expect(numbers(history.after(three, chain))).toEqual([7, 8])
  })

  test('a branch that the chain does not know is refused', () => {
    const chain = createBranches(100)
    const { header } = chain.add(chain.genesis, undefined)
    const orphan = { ...header, number: 5n, parentHash: headerHash({ ...blankHeader, gasUsed: 77n }) }
    expect(() => chain.history().after({ header: orphan, hash: headerHash(orphan) }, chain)).toThrow('PARENT_UNKNOWN')
  })

  test('block after block reads no header twice', () => {
    const chain = createBranches(100_000)
    const history = chain.history()
    let head = chain.genesis
    for (let i = 0; i < 3000; i++) {
      history.after(head, chain)
      head = chain.add(head, i % 100 ? undefined : [1, 1 + (i % 7), true])
    }
    expect(chain.reads()).toBe(0)
    // An old block is counted from the checkpoint before it.
    const old = [...Array(2500)].reduce((block: HashedHeader) => chain.parentOf(block), head)
    const before = chain.reads()
    history.after(old, chain)
    expect(chain.reads() - before).toBeLessThan(512)
  })

  test('a new start counts from the tally that the chain has stored', () => {
    const chain = createBranches(100_000)
    const counted = chain.history()
    let head = chain.genesis
    for (let i = 1; i <= 1500; i++) {
      head = chain.add(head, i % 100 ? undefined : [1, 1 + (i % 7), i % 3 > 0])
      counted.after(head, chain)
      if (i === 512 || i === 1024) chain.store(head)
    }
    const before = chain.reads()
    expect(chain.history().after(head, chain)).toEqual(counted.after(head, chain))
    expect(chain.reads() - before).toBe(1500 - 1024 - 1)
    // What an engine before this one has stored was counted by other rules.
    chain.history(1025n).after(head, chain)
    expect(chain.reads() - before).toBe(1500 - 1024 - 1 + 1500)
  })

  test.each([[20n], [512n]])(
    'what was stored while epochs were counted in another way is not read: from block %s',
    (from) => {
      const chain = createBranches(300)
      let head = chain.genesis
      const blocks = [head]
      for (let i = 1; i <= 1100; i++) {
        head = chain.add(head, i % 10 ? undefined : [1, 1 + (i % 7), i % 3 > 0])
        blocks.push(head)
        chain.store(head)
      }
      const none = { ...chain, engineRecord: () => undefined }
      const history = () => chain.history(from, from)
      for (const block of blocks.filter((_, i) => i > 500 && i % 47 === 0))
        expect(history().after(block, chain)).toEqual(history().after(block, none))
      const own = blocks.filter(({ header: { number } }) => number >= from)
      const stored = own.filter((block) => history().recordAfter(block, () => none)).map(({ header }) => header.number)
      expect(stored).toEqual(from === 20n ? [20n, 532n, 1044n] : [768n])
    },
  )
})

test('any order of questions about any branches gives what counting from the start gives', () => {
  const small = fc.integer({ min: 1, max: 4 })
  const vote = fc.option(fc.tuple(small, small, fc.boolean()), { nil: undefined })
  const tree = fc.array(fc.record({ parent: fc.nat(), vote }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      tree,
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(), { maxLength: 60 }),
      (grow, epoch, questions) => {
        const chain = createBranches(epoch)
        const blocks = [chain.genesis]
        for (const [i, { parent, vote: word }] of grow.entries())
          blocks.push(chain.add(blocks[parent % blocks.length]!, word, i))
        const naive = (block: HashedHeader): Tally => {
          if (block.header.number % BigInt(epoch) === 0n) return startTally([account(1)])
          const word = chain.voteIn(block)
          const before = naive(chain.parentOf(block))
          return word ? castVote(before, word) : before
        }
        const history = chain.history()
        for (const question of questions) {
          const block = blocks[question % blocks.length]!
          expect(history.after(block, chain)).toEqual(naive(block))
        }
      },
    ),
  )
})
