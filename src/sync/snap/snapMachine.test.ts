import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryDraft } from '../../../test/support/memoryDraft.ts'
import { type ModelState, modelAccount } from '../../../test/support/modelState.ts'
import { type SnapLie, snapLies } from '../../../test/support/snapLies.ts'
import { createRandom, createSnapWorld, type SnapWorld } from '../../../test/support/snapWorld.ts'
import { withTempStore } from '../../../test/support/tempStore.ts'
import { sampled } from '../../../test/support/wholeRun.ts'
import type { SnapKind, SnapRequests, SnapResponses } from '../../net/snap/messages.ts'
import { bytesOfKey, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../primitives/keccak.ts'
import { encodeRlp } from '../../primitives/rlp.ts'
import type { StateDraft } from '../../state/stateDraft.ts'
import { createStoredDraft } from '../../state/storedDraft.ts'
import { openStore } from '../../store/openStore.ts'
import { publicState2 } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { noNibbles, toNibbles } from '../../trie/nibbles.ts'
import { type SnapEffect, type SnapEvent, SnapMachine } from './snapMachine.ts'

type Response = SnapResponses[SnapKind]

interface Server {
  readonly name: string
  readonly lie: SnapLie | undefined
  /** Of how many responses one is a lie. */
  readonly rate: number
}

interface Plan {
  readonly seed: number
  readonly servers: readonly Server[]
  /** Milliseconds from block to block. */
  readonly period: number
  /** Soft limit of responses, lower than that of the machine: many are needed. */
  readonly bytes: number
  /** One in so many events is followed by a kill; 0 for none. */
  readonly kills: number
}

const firstBlock = 20
const lastBlock = 59
/** States that a server has. */
const kept = 8

interface Result {
  readonly block: number
  readonly draft: StateDraft
  readonly dropped: readonly { readonly name: string; readonly reason: string }[]
  readonly requests: number
  readonly staled: number
}

/** Downloads a state from a network of servers, in virtual time. */
class Download {
  private readonly world: SnapWorld
  private readonly plan: Plan
  private readonly random: ReturnType<typeof createRandom>
  private readonly draft: StateDraft
  private queue: { at: number; life: number; event: SnapEvent<Server> }[] = []
  private machine: SnapMachine<Server>
  private now = 0
  private life = 0
  private pivot = firstBlock
  private isDone = false
  private readonly dropped: { name: string; reason: string }[] = []
  private requests = 0
  private staled = 0

  constructor(world: SnapWorld, plan: Plan, draft: StateDraft) {
    this.draft = draft
    this.world = world
    this.plan = plan
    this.random = createRandom(plan.seed)
    this.machine = new SnapMachine(draft, world.roots[this.pivot]!)
  }

  run(): Result {
    this.connect()
    for (let i = 0; !this.isDone; i++) {
      if (i > 200_000) throw new Error('it does not end')
      const next = this.queue.sort((a, b) => a.at - b.at).shift()
      if (!next) throw new Error('nothing happens any more')
      this.now = next.at
      if (next.life === this.life) this.act(this.machine.handle(next.event))
      if (this.plan.kills > 0 && this.random(this.plan.kills) === 0 && this.life < 20 && !this.isDone) this.restart()
    }
    const { pivot: block, draft, dropped, requests, staled } = this
    return { block, draft, dropped, requests, staled }
  }

  private head(): number {
    return Math.min(lastBlock, firstBlock + Math.floor(this.now / this.plan.period))
  }

  private connect(): void {
    for (const peer of this.plan.servers)
      if (!this.dropped.some(({ name }) => name === peer.name)) this.post(0, { kind: 'peer', peer })
  }

  /** The process is killed, and started again. */
  private restart(): void {
    this.life++
    this.pivot = this.head()
    this.machine = new SnapMachine(this.draft, this.world.roots[this.pivot]!)
    this.connect()
  }

  private post(delay: number, event: SnapEvent<Server>): void {
    this.queue.push({ at: this.now + delay, life: this.life, event })
  }

  private act(effects: readonly SnapEffect<Server>[]): void {
    for (const effect of effects) {
      if (effect.kind === 'done') this.isDone = true
      else if (effect.kind === 'drop') this.dropped.push({ name: effect.peer.name, reason: effect.reason })
      else if (effect.kind === 'stale') {
        this.staled++
        this.pivot = this.head()
        this.post(1, { kind: 'root', root: this.world.roots[this.pivot]! })
      } else this.ask(effect)
    }
  }

  private ask({ peer, id, what, request }: SnapEffect<Server> & { kind: 'ask' }): void {
    this.requests++
    const response = this.respond(peer, what, { ...request, bytes: Math.min(request.bytes, this.plan.bytes) })
    if (response) this.post(5 + this.random(100), { kind: 'response', id, response })
    else this.post(5000, { kind: 'timeout', id })
  }

  private respond({ lie, rate }: Server, kind: SnapKind, request: SnapRequests[SnapKind]): Response | undefined {
    const { roots, answer } = this.world
    const head = this.head()
    const isThere =
      !('root' in request) || roots.slice(head - kept + 1, head + 1).some((root) => equalBytes(root, request.root))
    const honest = isThere
      ? answer(kind, request as never)
      : snapLies['has nothing']!(kind, [], this.random, this.world, request)!
    return lie && this.random(rate) === 0 ? lie(kind, honest, this.random, this.world, request) : honest
  }
}

function slotsOf(draft: StateDraft, owner: Hash32): Map<string, Uint8Array> {
  const trie = draft.trie(owner)
  const keys = [...draft.keysBelow(owner, noNibbles)]
  return new Map(keys.map((key) => [keyOf(key), trie.leaf(toNibbles(key))!.value]))
}

function expectState({ draft, block }: Result, world: SnapWorld): void {
  const model: ModelState = world.models[block]!
  const accounts = [...model].map(([key, account]) => [keccak256(bytesOfKey(key)), account] as const)
  const keys = [...draft.keysBelow(undefined, noNibbles)].map(keyOf)
  expect(keys.sort()).toEqual(accounts.map(([key]) => keyOf(key)).sort())
  for (const [key, account] of accounts) {
    expect(draft.account(key)).toEqual(modelAccount(account))
    const slots = [...account.slots].map(
      ([slot, value]) => [keyOf(keccak256(bytesOfKey(slot))), encodeRlp(value)] as const,
    )
    expect(slotsOf(draft, key)).toEqual(new Map(slots))
    if (!equalBytes(account.codeHash, emptyCodeHash)) expect(draft.hasCode(account.codeHash)).toBe(true)
  }
  // Nothing is left of accounts that there are not.
  for (const former of world.models.slice(0, block))
    for (const address of former.keys())
      if (!model.has(address)) expect(slotsOf(draft, keccak256(bytesOfKey(address))).size).toBe(0)
}

const honest = (n: number): Server[] =>
  Array.from({ length: n }, (_, i) => ({ name: `honest ${i}`, lie: undefined, rate: 1 }))
const liar = (name: string, rate: number): Server => ({ name, lie: snapLies[name], rate })

let folder: string
let store: Store
let world: SnapWorld
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-snap-'))
  store = openStore(join(folder, 'database'))
  world = createSnapWorld(store, 1)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function download(plan: Partial<Plan>, check: (result: Result) => void, draft: StateDraft = createMemoryDraft()): void {
  const whole = { seed: 1, servers: honest(3), period: 1e9, bytes: 1500, kills: 0, ...plan }
  const result = new Download(world, whole, draft).run()
  expectState(result, world)
  expect(result.dropped.filter(({ name }) => name.startsWith('honest'))).toEqual([])
  check(result)
}

describe('a state is downloaded', () => {
  test('from one peer, in few requests', () =>
    download({ servers: honest(1), bytes: 1 << 20 }, ({ block, requests, staled }) => {
      expect([block, staled]).toEqual([firstBlock, 0])
      expect(requests).toBeLessThan(40)
    }))

  test('from several, in many', () => download({}, ({ requests }) => expect(requests).toBeGreaterThan(35)))

  test.each(sampled([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))(
    'while the head moves on, and is healed: seed %i',
    (seed) =>
      download({ seed, period: 150, bytes: 400, servers: honest(2) }, ({ block, staled }) => {
        expect(staled).toBeGreaterThan(0)
        expect(block).toBeGreaterThan(firstBlock)
      }),
  )

  test.each(sampled([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))(
    'although the process is killed again and again: seed %i',
    (seed) => download({ seed, kills: 12, period: 400, bytes: 700 }, ({ block }) => expect(block).toBeGreaterThan(0)),
  )
})

describe('who lies is not believed', () => {
  for (const [i, name] of Object.keys(snapLies).entries())
    test.each([1, 4])(`${name}, one time of %i`, (rate) =>
      download(
        {
          seed: 100 + i,
          servers: [liar(name, rate), ...honest(2)],
          period: 300,
          bytes: 900,
          kills: rate === 4 ? 60 : 0,
        },
        ({ dropped }) => {
          if (['alters values', 'alters keys'].includes(name) && rate === 1)
            expect(dropped.map((one) => one.name)).toEqual([name])
        },
      ),
    )

  test('all of them at once, and one honest peer', () =>
    download(
      {
        seed: 7,
        servers: [...Object.keys(snapLies).map((name) => liar(name, 2)), ...honest(1)],
        period: 2000,
        bytes: 900,
      },
      ({ dropped }) => expect(dropped.length).toBeGreaterThan(5),
    ))
})

test.each(sampled([1, 2], [1, 2, 3, 4, 5, 6, 7, 8]))('into the tables of a store: seed %i', (seed) =>
  withTempStore((store) => {
    const servers = [liar('alters values', 3), liar('leaves one out', 3), ...honest(2)]
    const draft = createStoredDraft(store, publicState2)
    download(
      { seed, servers, period: 200, bytes: 500, kills: 30 },
      ({ block }) => expect(block).toBeGreaterThan(0),
      draft,
    )
    expect(draft.progress()).toEqual({ next: Array(16).fill(undefined), mixed: [] })
  }),
)
