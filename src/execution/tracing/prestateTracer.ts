import { opcodes } from '../../evm/opcodes.ts'
import type { Tracer } from '../../evm/tracer.ts'
import type { Rules } from '../../forks/rules.ts'
import { forkIndex } from '../../forks/table.ts'
import { type Address, equalBytes, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { emptyCodeHash } from '../../primitives/keccak.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import type { PlainAccount, StateOverlay } from './stateOverlay.ts'

/** What is shown of an account. */
export interface TracedAccount {
  readonly address: Address
  /** Undefined where it is not shown. */
  readonly balance: bigint | undefined
  readonly nonce: bigint
  /** Undefined where it is not shown. */
  readonly code: Uint8Array | undefined
  /** Undefined where it is not shown, or there is no code. */
  readonly codeHash: Hash32 | undefined
  readonly storage: readonly { readonly slot: Hash32; readonly value: Uint8Array }[]
}

/** What is left out. */
export interface PrestateOptions {
  readonly disableCode: boolean
  readonly disableStorage: boolean
  /** Shows accounts too that did not exist. */
  readonly includeEmpty: boolean
}

export interface Prestate {
  readonly pre: readonly TracedAccount[]
  readonly post: readonly TracedAccount[]
}

interface Touched {
  readonly address: Address
  readonly slots: Map<string, Hash32>
}

const { BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SLOAD, SSTORE, SELFDESTRUCT } = opcodes
const addressOnTop: readonly number[] = [BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT]
const addressBelow: readonly number[] = [opcodes.CALL, opcodes.CALLCODE, opcodes.DELEGATECALL, opcodes.STATICCALL]
/** Failures of a step that happen before it looks at anything. */
const early = new Set(['outOfGas', 'stackUnderflow', 'stackOverflow', 'invalidOpcode'])
const noCode = new Uint8Array(0)
const cancun = forkIndex('cancun')
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

function addressOf(word: bigint): Address {
  return bigIntToFixed(BigInt.asUintN(160, word), 20) as Address
}

function exists(account: PlainAccount | undefined): boolean {
  return account !== undefined && (account.balance > 0n || account.nonce > 0n || hasCode(account))
}

function hasCode({ codeHash }: PlainAccount): boolean {
  return !equalBytes(codeHash, emptyCodeHash)
}

function showAccount({ address, slots }: Touched, state: StateOverlay, withCode: boolean): TracedAccount {
  const account = state.account(address)
  const isContract = account !== undefined && hasCode(account)
  return {
    address,
    balance: account?.balance ?? 0n,
    nonce: account?.nonce ?? 0n,
    code: withCode && isContract ? state.code(account) : undefined,
    codeHash: isContract ? account.codeHash : undefined,
    storage: [...slots.values()].map((slot) => ({ slot, value: state.storage(address, slot) })),
  }
}

const sameBytes = (a: Uint8Array | undefined, b: Uint8Array | undefined) => equalBytes(a ?? noCode, b ?? noCode)

/** The part of an account that differs from how it was; undefined when nothing does. */
function changed(before: TracedAccount, after: TracedAccount, withCode: boolean): TracedAccount | undefined {
  const balance = after.balance === before.balance ? undefined : after.balance
  const nonce = after.nonce === before.nonce ? 0n : after.nonce
  // Code that is gone is shown as empty.
  const isNew = !sameBytes(after.codeHash, before.codeHash)
  const codeHash = isNew ? (after.codeHash ?? emptyCodeHash) : undefined
  const code = isNew && withCode ? (after.code ?? noCode) : undefined
  const storage = after.storage.filter(({ value }, i) => !equalBytes(value, before.storage[i]!.value))
  if (balance === undefined && after.nonce === before.nonce && !isNew && storage.length === 0) return undefined
  return {
    address: after.address,
    balance,
    nonce,
    code,
    codeHash,
    storage: storage.filter(({ value }) => !isZero(value)),
  }
}

class PrestateRecorder {
  private readonly touched = new Map<string, Touched>()
  private readonly created = new Set<string>()
  private readonly destroyed = new Set<string>()
  readonly tracer: Tracer

  private readonly options: PrestateOptions

  constructor(known: readonly Address[], rules: Rules, options: PrestateOptions) {
    this.options = options
    let seen: { readonly address: Address; readonly slot?: Hash32 } | undefined
    let ends: Address | undefined
    known.forEach(this.touch)
    this.tracer = {
      watches: [SLOAD, SSTORE, ...addressOnTop, ...addressBelow],
      onStep(step) {
        seen = ends = undefined
        const { op } = step
        if (op === SLOAD || op === SSTORE) {
          const slot = step.peek(0)
          if (slot !== undefined) seen = { address: step.address, slot: bigIntToFixed(slot, 32) as Hash32 }
        } else {
          const word = step.peek(addressOnTop.includes(op) ? 0 : 1)
          if (word !== undefined) seen = { address: addressOf(word) }
          if (op === SELFDESTRUCT) ends = step.address
        }
      },
      onStepEnd: ({ error }) => {
        if (!seen || (error !== undefined && early.has(error))) return
        const { slots } = this.touch(seen.address)
        if (seen.slot && !options.disableStorage) slots.set(keyOf(seen.slot), seen.slot)
        if (ends && this.isEnded(ends, rules)) this.destroyed.add(keyOf(ends))
        seen = undefined
      },
      onEnter: ({ kind, to, codeAddress }) => {
        this.touch(to)
        this.touch(codeAddress)
        if (kind === 'CREATE' || kind === 'CREATE2') this.created.add(keyOf(to))
      },
    }
  }

  private readonly touch = (address: Address): Touched => {
    const key = keyOf(address)
    let entry = this.touched.get(key)
    if (!entry) this.touched.set(key, (entry = { address, slots: new Map() }))
    return entry
  }

  /** From Cancun on a contract ends only in the transaction that has created it. */
  private isEnded(address: Address, rules: Rules): boolean {
    return rules.index < cancun || this.created.has(keyOf(address))
  }

  private show(entry: Touched, state: StateOverlay): TracedAccount {
    return showAccount(entry, state, !this.options.disableCode)
  }

  /** The accounts before the transaction. */
  readonly before = (state: StateOverlay): TracedAccount[] =>
    [...this.touched.values()]
      .filter(({ address }) => this.options.includeEmpty || exists(state.account(address)))
      .map((entry) => this.show(entry, state))

  /** Only what the transaction changed: how it was, and how it is. */
  readonly difference = (state: StateOverlay, after: StateOverlay): Prestate => {
    const pre: TracedAccount[] = []
    const post: TracedAccount[] = []
    for (const [key, entry] of this.touched) {
      const before = this.show(entry, state)
      let shown = before
      if (!this.destroyed.has(key)) {
        const later = this.show(entry, after)
        const difference = changed(before, later, !this.options.disableCode)
        if (!difference) continue
        post.push(difference)
        const storage = before.storage.filter(
          ({ value }, i) => !isZero(value) && !equalBytes(value, later.storage[i]!.value),
        )
        shown = { ...before, storage }
      }
      if (exists(state.account(entry.address))) pre.push(shown)
    }
    return { pre, post }
  }
}

/** Collects the accounts and slots that a transaction looks at, beginning with those of `known`. */
export function createPrestateTracer(known: readonly Address[], rules: Rules, options: PrestateOptions) {
  return new PrestateRecorder(known, rules, options)
}
