import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account, createWorld, type PoolWorld, transfer } from '../../test/support/poolFixtures.ts'
import type { LegacyTx } from '../types/transaction.ts'

const senders = [0, 1, 2, 3]
const maxFuture = 6

interface Held {
  readonly tx: LegacyTx
  readonly from: number
  readonly local: boolean
  readonly arrival: number
}

/** The same rules in the simplest form: one list that is searched from end to end. */
class Model {
  held: Held[] = []
  readonly nonces = senders.map(() => 0)
  readonly blocks: Held[][] = []
  private readonly localSenders = new Set<number>()
  private arrivals = 0
  private readonly maxCount: number

  constructor(maxCount: number) {
    this.maxCount = maxCount
  }

  of(from: number): Held[] {
    return this.held.filter((h) => h.from === from).sort((a, b) => Number(a.tx.nonce - b.tx.nonce))
  }

  pendingOf(from: number): Held[] {
    return this.of(from).filter((h, i) => Number(h.tx.nonce) === this.nonces[from]! + i)
  }

  add(tx: LegacyTx, from: number, local: boolean): string {
    const nonce = Number(tx.nonce)
    if (nonce < this.nonces[from]!) return 'NONCE_TOO_LOW'
    if (nonce >= this.nonces[from]! + this.pendingOf(from).length + maxFuture)
      return 'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER'
    const old = this.held.find((h) => h.from === from && h.tx.nonce === tx.nonce)
    if (old && tx.gasPrice < (old.tx.gasPrice * 110n) / 100n) return 'TRANSACTION_REPLACEMENT_UNDERPRICED'
    const fresh = { tx, from, local, arrival: this.arrivals++ }
    this.held = [...this.held.filter((h) => h !== old), fresh]
    while (this.held.length > this.maxCount) {
      const worst = this.worst()
      this.held = this.held.filter((h) => h !== worst)
      if (worst === fresh) return 'TX_POOL_FULL'
    }
    if (local) this.localSenders.add(from)
    return 'added'
  }

  private worst(): Held {
    const ranked = senders
      .filter((from) => this.of(from).length > 0)
      .map((from) => {
        const all = this.of(from)
        const last = all.at(-1)!
        const isPending = this.pendingOf(from).includes(last)
        const lowest = all.reduce((low, h) => (h.tx.gasPrice < low ? h.tx.gasPrice : low), last.tx.gasPrice)
        return { last, rank: [Number(last.local), Number(isPending), Number(lowest), -last.arrival] }
      })
    ranked.sort((a, b) => {
      const differs = a.rank.findIndex((value, i) => value !== b.rank[i])
      return a.rank[differs]! - b.rank[differs]!
    })
    return ranked[0]!.last
  }

  best(): Held[] {
    const left = senders.map((from) => this.pendingOf(from))
    const order: Held[] = []
    for (;;) {
      const heads = left.filter((queue) => queue.length > 0).map((queue) => queue[0]!)
      if (heads.length === 0) return order
      heads.sort(
        (a, b) => Number(b.local) - Number(a.local) || Number(b.tx.gasPrice - a.tx.gasPrice) || a.arrival - b.arrival,
      )
      order.push(left[heads[0]!.from]!.shift()!)
    }
  }

  /** Replaces the last `undo` blocks by one block of these transactions. */
  move(undo: number, block: Held[]): { removed: Held[] } {
    const removed = undo > 0 ? this.blocks.splice(-undo).flat() : []
    for (const h of removed) this.nonces[h.from]!--
    for (const h of block) this.nonces[h.from]!++
    this.blocks.push(block)
    this.held = this.held.filter((h) => Number(h.tx.nonce) >= this.nonces[h.from]!)
    for (const h of removed) if (!block.includes(h)) this.add(h.tx, h.from, this.localSenders.has(h.from))
    return { removed }
  }
}

function compare({ pool }: PoolWorld, model: Model): void {
  for (const from of senders) {
    const content = pool.contentOf(account(from))
    const pending = model.pendingOf(from).map((h) => h.tx)
    expect((content?.pending ?? []).map((e) => e.tx)).toEqual(pending)
    expect((content?.queued ?? []).map((e) => e.tx)).toEqual(
      model
        .of(from)
        .slice(pending.length)
        .map((h) => h.tx),
    )
    const next = pending.length > 0 ? BigInt(model.nonces[from]! + pending.length) : undefined
    expect(pool.nextNonce(account(from))).toBe(next)
  }
  const best = pool.best({ baseFee: 0n, blobBaseFee: 0n })
  const order: unknown[] = []
  for (let entry = best.next(); entry; entry = best.next()) order.push(entry.tx)
  expect(order).toEqual(model.best().map((h) => h.tx))
  const { localCount, remoteCount } = pool.statistics()
  expect([localCount, remoteCount]).toEqual([
    model.held.filter((h) => h.local).length,
    model.held.filter((h) => !h.local).length,
  ])
}

const adding = fc.record({
  kind: fc.constant('add' as const),
  from: fc.constantFrom(...senders),
  ahead: fc.integer({ min: -1, max: maxFuture }),
  price: fc.integer({ min: 1, max: 40 }),
  local: fc.boolean(),
})
const moving = fc.record({
  kind: fc.constant('head' as const),
  undo: fc.constantFrom(0, 0, 0, 1, 2),
  keep: fc.nat(4),
  mine: fc.nat(4),
})
const step = fc.oneof({ weight: 4, arbitrary: adding }, { weight: 1, arbitrary: moving })

test('behaves as the model does through additions, replacements, evictions, blocks and reorgs', () => {
  fc.assert(
    fc.property(fc.constantFrom(3, 6, 1000), fc.array(step, { maxLength: 60 }), (maxCount, steps) => {
      const world = createWorld({ limits: { maxCount, maxFuture } })
      const model = new Model(maxCount)
      for (const s of steps) {
        if (s.kind === 'add') {
          const nonce = Math.max(0, model.nonces[s.from]! + s.ahead)
          const tx = transfer(s.from, nonce, BigInt(s.price))
          expect(world.add(tx, { local: s.local })).toBe(model.add(tx, s.from, s.local))
        } else {
          const undo = Math.min(s.undo, model.blocks.length)
          const old = undo > 0 ? model.blocks.slice(-undo).flat() : []
          // A new block has the beginning of what was undone, or the best of the pool.
          const block = undo > 0 ? old.slice(0, s.keep) : model.best().slice(0, s.mine)
          const { removed } = model.move(undo, block)
          for (const from of senders) world.setAccount(account(from), { nonce: BigInt(model.nonces[from]!) })
          world.pool.onHead({ added: block.map((h) => h.tx), removed: removed.map((h) => h.tx), now: 0 })
        }
        compare(world, model)
      }
    }),
    { numRuns: 300 },
  )
})
