import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { devTx, draftBlock, openTestChain, removeFolder } from '../../test/support/testChain.ts'
import type { BlockRun } from '../execution/applyBlock.ts'
import { hexToAddress } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { oneStep, runInTurns, runSteps } from '../primitives/steps.ts'
import type { Block } from '../types/block.ts'
import { type Header, headerHash } from '../types/header.ts'
import { senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { ChainParts } from './chainParts.ts'
import type { ConsensusEngine } from './engine.ts'
import type { HeadEvent } from './events.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

const noSeal = keccak256(Uint8Array.of(0))

/** Seals stand in the mix hash here, which the hash leaves out as those of BFT engines do. */
function sealing(consensus: ConsensusEngine): ConsensusEngine {
  return {
    ...consensus,
    hash: (header) => headerHash(header.number === 0n ? header : { ...header, mixHash: noSeal }),
    validateHeader(header, parent, chain) {
      if (header.mixHash[0] !== 1) throw new Error('not sealed')
      return consensus.validateHeader(header, parent, chain)
    },
    validateProposal: consensus.validateHeader,
  }
}

/** A chain that counts the blocks it runs, and the times the interpreter's memory is emptied. */
function open() {
  const count = { runs: 0, resets: 0 }
  function change({ evm, consensus, ...parts }: ChainParts): ChainParts {
    const counting: ChainParts['evm'] = {
      ...evm,
      reset(host) {
        count.resets++
        evm.reset(host)
      },
      setBlock(env, rules) {
        count.runs++
        evm.setBlock(env, rules)
      },
    }
    return { ...parts, evm: counting, consensus: sealing(consensus) }
  }
  const { chain, path, close } = openTestChain(undefined, undefined, change)
  closes.push(async () => {
    await close()
    removeFolder(path)
  })
  return { chain, count }
}

type TestChain = ReturnType<typeof open>

const alice = hexToAddress('00000000000000000000000000000000000000aa')
const pay = (nonce: bigint, value = 1n) => devTx(nonce, { to: alice, value })

const draft = ({ chain }: TestChain, mark: number) => draftBlock(chain, { extraData: Uint8Array.of(mark) })

function propose(node: TestChain, txs: readonly Tx[], mark = 0): Block {
  const select = oneStep((run: BlockRun) => {
    for (const tx of txs) run.add(tx, senderOf(tx))
    return txs
  })
  return runSteps(node.chain.propose(draft(node, mark), select))!.block
}

function sealed(block: Block): Block {
  const mixHash = noSeal.slice() as Header['mixHash']
  mixHash[0] = 1
  return { ...block, header: { ...block.header, mixHash } }
}

function balance({ chain }: TestChain): bigint {
  return chain.read((view) => view.stateAt(view.head.header.number).account(alice)?.balance ?? 0n)
}

describe('a proposal', () => {
  test('is made without a trace, and imported without being run again', () => {
    const node = open()
    const events: HeadEvent[] = []
    node.chain.onHead((event) => events.push(event))
    const block = propose(node, [pay(0n)])
    expect([balance(node), events.length]).toEqual([0n, 0])
    expect(node.count.runs).toBe(1)
    expect(node.chain.importBlock(sealed(block))).toBe('extended')
    expect([balance(node), node.count.runs, events.length]).toEqual([1n, 1, 1])
  })

  test('of another is verified without a trace, and imported without being run again', () => {
    const [maker, taker] = [open(), open()]
    const block = propose(maker, [pay(0n)])
    runSteps(taker.chain.verify(block))
    runSteps(taker.chain.verify(block))
    expect([balance(taker), taker.count.runs]).toEqual([0n, 1])
    expect(taker.chain.importBlock(sealed(block))).toBe('extended')
    expect([balance(taker), taker.count.runs]).toEqual([1n, 1])
  })

  test('is still checked in full when it is imported', () => {
    const node = open()
    const block = propose(node, [pay(0n)])
    expect(() => node.chain.importBlock(block)).toThrow('not sealed')
    expect(() => node.chain.importBlock({ ...sealed(block), transactions: [] })).toThrow('TRANSACTIONS_ROOT_MISMATCH')
    expect(balance(node)).toBe(0n)
    expect(node.chain.importBlock(sealed(block))).toBe('extended')
  })

  test('keeps the cache of the interpreter when it is the block that is written', () => {
    const node = open()
    for (let i = 0n; i < 5n; i++) node.chain.importBlock(sealed(propose(node, [pay(i)])))
    expect(node.count).toEqual({ runs: 5, resets: 1 })
    expect(balance(node)).toBe(5n)
  })

  test.each([
    ['the first', 0],
    ['the last', 2],
  ])('may lose against others: %s of three is imported', (_, chosen) => {
    const node = open()
    const blocks = [10n, 20n, 30n].map((value, mark) => propose(node, [pay(0n, value)], mark))
    node.chain.importBlock(sealed(blocks[chosen]!))
    expect(node.count.runs).toBe(3)
    node.chain.importBlock(sealed(propose(node, [pay(1n, 1n)])))
    expect(balance(node)).toBe(chosen === 0 ? 11n : 31n)
  })

  test('may lose against a block that was not proposed here', () => {
    const [node, other] = [open(), open()]
    propose(node, [pay(0n, 10n)])
    expect(node.chain.importBlock(sealed(propose(other, [pay(0n, 20n)])))).toBe('extended')
    node.chain.importBlock(sealed(propose(node, [pay(1n, 1n)])))
    expect(balance(node)).toBe(21n)
  })

  test('that is given up leaves nothing in the interpreter', () => {
    const node = open()
    expect(
      runSteps(
        node.chain.propose(
          draft(node, 0),
          oneStep((run) => {
            run.add(pay(0n, 7n), senderOf(pay(0n, 7n)))
            return undefined
          }),
        ),
      ),
    ).toBeUndefined()
    node.chain.importBlock(sealed(propose(node, [pay(0n, 2n)])))
    expect(balance(node)).toBe(2n)
  })

  test('may stand on a block before the head, which stays', () => {
    const node = open()
    const beforeFirst = draft(node, 1)
    const first = sealed(propose(node, [pay(0n, 5n)]))
    node.chain.importBlock(first)
    const rival = runSteps(
      node.chain.propose(
        beforeFirst,
        oneStep((run) => {
          run.add(pay(0n, 9n), senderOf(pay(0n, 9n)))
          return [pay(0n, 9n)]
        }),
      ),
    )!
    expect([rival.header.number, balance(node)]).toEqual([1n, 5n])
    expect(node.chain.importBlock(sealed(rival.block))).toBe('side')
    node.chain.importBlock(sealed(propose(node, [pay(1n)])))
    expect(balance(node)).toBe(6n)
    expect(() =>
      runSteps(
        node.chain.propose(
          draft(node, 0),
          oneStep(() => []),
        ),
      ),
    ).not.toThrow()
    const stranger = { ...beforeFirst, header: { ...beforeFirst.header, parentHash: rival.hash } }
    expect(() =>
      runSteps(
        node.chain.propose(
          stranger,
          oneStep(() => []),
        ),
      ),
    ).toThrow('PARENT_UNKNOWN')
  })

  test('that is wrong is refused, and the chain goes on', () => {
    const [maker, taker] = [open(), open()]
    const block = propose(maker, [pay(0n)])
    const wrong = (header: Partial<Header>) => ({ ...block, header: { ...block.header, ...header } })
    expect(() => runSteps(taker.chain.verify(wrong({ stateRoot: keccak256(Uint8Array.of(1)) })))).toThrow(
      'STATE_ROOT_MISMATCH',
    )
    expect(() => runSteps(taker.chain.verify(wrong({ gasUsed: 1n })))).toThrow('GAS_USED_MISMATCH')
    expect(() => runSteps(taker.chain.verify(wrong({ gasUsed: 1n })))).toThrow('KNOWN_BAD_BLOCK')
    expect(() => runSteps(taker.chain.verify({ ...block, transactions: [] }))).toThrow('TRANSACTIONS_ROOT_MISMATCH')
    maker.chain.importBlock(sealed(block))
    expect(() => runSteps(taker.chain.verify(propose(maker, [])))).toThrow('PARENT_UNKNOWN')
    runSteps(taker.chain.verify(block))
    expect(taker.chain.importBlock(sealed(block))).toBe('extended')
  })

  test('is forgotten with the head it stands on, and among many', () => {
    const node = open()
    const blocks = Array.from({ length: 9 }, (_, mark) => propose(node, [pay(0n)], mark))
    node.chain.importBlock(sealed(blocks[0]!))
    expect(node.count.runs).toBe(10)
    node.chain.setHead(0n)
    node.chain.importBlock(sealed(blocks[8]!))
    expect(node.count.runs).toBe(11)
    expect(balance(node)).toBe(1n)
  })
})

/** Takes turns after each step: in the first after a block began to run, `meanwhile` is called. */
function turnsWith({ count }: TestChain, meanwhile: () => void): () => Promise<void> {
  let isFirst = true
  return async () => {
    if (!isFirst || count.runs === 0) return
    isFirst = false
    meanwhile()
  }
}

/** Makes every step take as long as a turn may. */
function slowClock(): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
}

function proposeInTurns(node: TestChain, txs: readonly Tx[], nextTurn: () => Promise<void>) {
  const steps = node.chain.propose(draft(node, 0), function* (run) {
    for (const tx of txs) {
      run.add(tx, senderOf(tx))
      yield
    }
    return txs
  })
  return runInTurns(steps, nextTurn)
}

describe('in turns', () => {
  beforeEach(slowClock)
  afterEach(() => void vi.restoreAllMocks())
  const pays = [pay(0n, 1n), pay(1n, 2n), pay(2n, 4n)]

  test('a proposal is verified beforehand, and not run again', async () => {
    const [maker, taker] = [open(), open()]
    const block = propose(maker, pays)
    let turns = 0
    await runInTurns(taker.chain.verify(block), async () => void turns++)
    expect(turns).toBeGreaterThan(pays.length)
    runSteps(taker.chain.verify(block))
    expect(taker.chain.importBlock(sealed(block))).toBe('extended')
    expect([balance(taker), taker.count]).toEqual([7n, { runs: 1, resets: 1 }])
  })

  test('a block is built beforehand, and not run again', async () => {
    const node = open()
    for (let i = 0; i < 2; i++) {
      const txs = pays.map((_, j) => pay(BigInt(3 * i + j), 1n))
      const made = (await proposeInTurns(node, txs, async () => {}))!
      node.chain.importBlock(sealed(made.block))
    }
    expect([balance(node), node.count]).toEqual([6n, { runs: 2, resets: 1 }])
  })

  test('the chain shows nothing of a block that is half run', async () => {
    const [maker, taker] = [open(), open()]
    const seen: bigint[] = []
    const block = propose(maker, pays)
    await runInTurns(
      taker.chain.verify(block),
      async () => void seen.push(balance(taker), taker.chain.head().header.number),
    )
    expect(new Set(seen)).toEqual(new Set([0n]))
  })

  test.each(['verify', 'propose'] as const)(
    'an import comes first: %s ends, and leaves nothing behind',
    async (kind) => {
      const [maker, node] = [open(), open()]
      const own = propose(maker, pays)
      const other = sealed(propose(maker, [pay(0n, 100n)], 1))
      const nextTurn = turnsWith(node, () => node.chain.importBlock(other))
      if (kind === 'verify') await runInTurns(node.chain.verify(own), nextTurn)
      else expect(await proposeInTurns(node, pays, nextTurn)).toBeUndefined()
      expect([balance(node), node.count.runs]).toEqual([100n, 2])
      expect(() => runSteps(node.chain.verify(own))).toThrow('PARENT_UNKNOWN')
      maker.chain.importBlock(other)
      const next = propose(maker, [pay(1n, 10n)])
      runSteps(node.chain.verify(next))
      node.chain.importBlock(sealed(next))
      expect(balance(node)).toBe(110n)
    },
  )

  test('of two that are begun, the second comes first', async () => {
    const [maker, taker] = [open(), open()]
    const [first, second] = [propose(maker, pays), propose(maker, [pay(0n, 9n)], 1)]
    let next: Promise<void> | undefined
    const begin = () => void (next = runInTurns(taker.chain.verify(second), async () => {}))
    await runInTurns(taker.chain.verify(first), turnsWith(taker, begin))
    await next
    expect(taker.count.runs).toBe(2)
    runSteps(taker.chain.verify(second))
    expect(taker.count.runs).toBe(2)
    runSteps(taker.chain.verify(first))
    expect(taker.count.runs).toBe(3)
    taker.chain.importBlock(sealed(second))
    expect(balance(taker)).toBe(9n)
  })

  test('an invalid block is refused, and not run again', async () => {
    const [maker, taker] = [open(), open()]
    const block = propose(maker, pays)
    const wrong = { ...block, header: { ...block.header, stateRoot: keccak256(Uint8Array.of(1)) } }
    await expect(runInTurns(taker.chain.verify(wrong), async () => {})).rejects.toThrow('STATE_ROOT_MISMATCH')
    expect(taker.chain.badBlocks.all().map(({ block }) => block)).toEqual([wrong])
    const { runs } = taker.count
    expect(() => runSteps(taker.chain.verify(wrong))).toThrow('the block was found invalid before')
    expect(() => taker.chain.importBlock(sealed(wrong))).toThrow('STATE_ROOT_MISMATCH')
    expect(taker.count.runs).toBe(runs)
    runSteps(taker.chain.verify(block))
    taker.chain.importBlock(sealed(block))
    expect(balance(taker)).toBe(7n)
  })

  test('a failure of something else is told', async () => {
    const node = open()
    const broken = node.chain.propose(
      draft(node, 0),
      oneStep(() => {
        throw new Error('broken')
      }),
    )
    await expect(runInTurns(broken, async () => {})).rejects.toThrow('broken')
    node.chain.importBlock(sealed(propose(node, [pay(0n)])))
    expect(balance(node)).toBe(1n)
  })
})

test('a block that was taken off comes back when it is given again', () => {
  const node = open()
  const block = sealed(propose(node, [pay(0n)]))
  node.chain.importBlock(block)
  expect(node.chain.importBlock(block)).toBe('known')
  node.chain.setHead(0n)
  expect(balance(node)).toBe(0n)
  expect(node.chain.importBlock(block)).toBe('extended')
  expect(balance(node)).toBe(1n)
})
