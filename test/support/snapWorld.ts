import { createSnapAnswers } from '../../src/net/snap/answers.ts'
import { type SnapKind, type SnapRequests, type SnapResponses, snapRequests } from '../../src/net/snap/messages.ts'
import { encodeRequest } from '../../src/net/snap/requests.ts'
import { decodeResponse } from '../../src/net/snap/responses.ts'
import { type Address, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../../src/primitives/keccak.ts'
import { toWord } from '../../src/primitives/u256.ts'
import { createStateStore, type StateStore } from '../../src/state/stateStore.ts'
import type { Store } from '../../src/store/store.ts'
import type { AccountChange } from '../../src/types/stateChanges.ts'
import { applyToModel, type ModelState } from './modelState.ts'
import type { AskSnap } from './snapDownload.ts'

/** A small generator, always the same. */
export function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export const addressOf = (n: number) => keccak256(Uint8Array.of(n >>> 8, n)).slice(0, 20) as Uint8Array as Address
export const codeOf = (n: number) => new Uint8Array(50 + n).fill(n)

/** Answers at once. */
export type AnswerSnap = <K extends SnapKind>(kind: K, request: SnapRequests[K]) => SnapResponses[K]

/** A chain of states, and an honest server of them. */
export interface SnapWorld {
  readonly store: Store
  readonly states: StateStore
  readonly answer: AnswerSnap
  readonly ask: AskSnap
  /** After each block. */
  readonly models: readonly ModelState[]
  readonly roots: readonly Hash32[]
}

/** 60 blocks over 150 accounts, some of which have many slots, are wiped or removed. */
export function createSnapWorld(store: Store, seed: number): SnapWorld {
  const random = createRandom(seed)
  const states = createStateStore(store)
  const models: ModelState[] = []
  const roots: Hash32[] = []
  for (let block = 0; block < 60; block++) {
    const picked = new Set(Array.from({ length: block === 0 ? 120 : 12 }, () => random(150)))
    const codes = [1, 2, 3].map((n) => ({ hash: keccak256(codeOf(n)), code: codeOf(n) }))
    const accounts = [...picked].map((n): AccountChange => {
      const code = random(4)
      return {
        address: addressOf(n),
        account:
          random(12) === 0
            ? undefined
            : {
                nonce: BigInt(random(1000)),
                balance: BigInt(random(2 ** 31)) ** 3n,
                codeHash: code === 0 ? emptyCodeHash : keccak256(codeOf(code)),
              },
        wiped: random(15) === 0,
        slots: Array.from({ length: n % 30 === 0 ? 40 : random(3) }, () => random(500)).map((slot) => ({
          slot: toWord(BigInt(slot)) as Hash32,
          value: toWord(random(5) === 0 ? 0n : BigInt(random(2 ** 30)) ** BigInt(1 + random(8))),
        })),
      }
    })
    const unique = accounts.map((change) => ({
      ...change,
      slots: [...new Map(change.slots.map((slot) => [keyOf(slot.slot), slot])).values()],
    }))
    const changes = { accounts: unique, codes }
    models.push(applyToModel(models.at(-1) ?? new Map(), changes))
    roots.push(store.write((txn) => states.commit(txn, block, changes)))
  }
  const answers = createSnapAnswers({ store, states, now: () => 0 })
  const answer: AnswerSnap = (kind, request) => {
    const { id, message } = decodeResponse(kind, answers(snapRequests[kind], encodeRequest(kind, 77n, request)))
    if (id !== 77n) throw new Error('the response to another request')
    return message
  }
  return { store, states, answer, ask: async (kind, request) => answer(kind, request), models, roots }
}
