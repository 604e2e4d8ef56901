import type { Host } from '../evm/host.ts'
import type { GenesisAccount } from '../forks/genesisFile.ts'
import { bytesOfKey, compareBytes, emptyBytes, type Hash32, keyOf, trimZeros } from '../primitives/bytes.ts'
import { emptyCodeHash, keccak256 } from '../primitives/keccak.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { computeRoot } from '../trie/computeRoot.ts'
import { emptyTrieRoot, encodeAccount } from '../types/account.ts'
import type { AccountChange, StateChanges } from '../types/stateChanges.ts'
import { toBytes, toNumber, toWordBytes } from './json.ts'

/** An immutable account, which states can share. */
export interface MemoryAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
  /** Values without leading zeros, by slot; zero values are absent. */
  readonly storage: ReadonlyMap<string, Uint8Array>
}

/** An immutable in-memory state; `applyChanges` returns a new one. */
export interface MemoryState {
  readonly accounts: ReadonlyMap<string, MemoryAccount>
  /** Code by hash; shared by all states of a chain, and only added to. */
  readonly codes: Map<string, Uint8Array>
}

/** An account in tests. */
export interface JsonAccount {
  readonly balance: string
  readonly nonce: string
  readonly code: string
  readonly storage: Readonly<Record<string, string>>
}

function buildState(accounts: Iterable<readonly [Uint8Array, GenesisAccountFields]>): MemoryState {
  const codes = new Map<string, Uint8Array>([[keyOf(emptyCodeHash), emptyBytes]])
  const state = new Map<string, MemoryAccount>()
  for (const [address, { nonce, balance, code, storage }] of accounts) {
    const codeHash = code.length ? keccak256(code) : emptyCodeHash
    if (code.length) codes.set(keyOf(codeHash), code)
    const slots = new Map<string, Uint8Array>()
    for (const { slot, value } of storage) {
      const trimmed = trimZeros(value)
      if (trimmed.length) slots.set(keyOf(slot), trimmed)
    }
    state.set(keyOf(address), { nonce, balance, codeHash, storage: slots })
  }
  return { accounts: state, codes }
}

type GenesisAccountFields = Omit<GenesisAccount, 'address'>

/** The state of a genesis file. */
export function genesisState(alloc: readonly GenesisAccount[]): MemoryState {
  return buildState(alloc.map((account) => [account.address, account] as const))
}

/** Reads the state of a `pre` or `postState` object. */
export function readState(json: Readonly<Record<string, JsonAccount>>): MemoryState {
  return buildState(
    Object.entries(json).map(([address, { nonce, balance, code, storage }]) => [
      toBytes(address),
      {
        nonce: toNumber(nonce),
        balance: toNumber(balance),
        code: toBytes(code),
        storage: Object.entries(storage).map(([slot, value]) => ({ slot: toWordBytes(slot), value: toBytes(value) })),
      },
    ]),
  )
}

function changedStorage(before: MemoryAccount | undefined, { wiped, slots }: AccountChange): MemoryAccount['storage'] {
  const kept = before && !wiped ? before.storage : new Map<string, Uint8Array>()
  if (slots.length === 0) return kept
  const storage = new Map(kept)
  for (const { slot, value } of slots) {
    const trimmed = trimZeros(value)
    if (trimmed.length) storage.set(keyOf(slot), trimmed.slice())
    else storage.delete(keyOf(slot))
  }
  return storage
}

/** The state after execution. */
export function applyChanges(state: MemoryState, changes: StateChanges): MemoryState {
  const accounts = new Map(state.accounts)
  for (const change of changes.accounts) {
    const key = keyOf(change.address)
    if (change.account) accounts.set(key, { ...change.account, storage: changedStorage(accounts.get(key), change) })
    else accounts.delete(key)
  }
  for (const { hash, code } of changes.codes) state.codes.set(keyOf(hash), code)
  return { accounts, codes: state.codes }
}

const digests = new Map<string, Hash32>()
const maxDigests = 100_000

/** Hash of a trie key, cached because tests use the same few addresses and slots. */
function digestOf(key: string): Hash32 {
  let digest = digests.get(key)
  if (!digest) {
    if (digests.size >= maxDigests) digests.clear()
    digests.set(key, (digest = keccak256(bytesOfKey(key))))
  }
  return digest
}

function secureRoot<T>(entries: ReadonlyMap<string, T>, encode: (value: T) => Uint8Array): Hash32 {
  if (entries.size === 0) return emptyTrieRoot
  const leaves = Array.from(entries, ([key, value]): [Uint8Array, Uint8Array] => [digestOf(key), encode(value)])
  return computeRoot(leaves.sort(([a], [b]) => compareBytes(a, b)))
}

/** State trie leaves by account, cached because states share accounts. */
const leaves = new WeakMap<MemoryAccount, Uint8Array>()

function leafOf(account: MemoryAccount): Uint8Array {
  let leaf = leaves.get(account)
  if (!leaf)
    leaves.set(account, (leaf = encodeAccount({ ...account, storageRoot: secureRoot(account.storage, encodeRlp) })))
  return leaf
}

/** Computes the state root from scratch. */
export function stateRoot({ accounts }: MemoryState): Hash32 {
  return secureRoot(accounts, leafOf)
}

/** The state as the EVM reads it. */
export function createMemoryHost(state: MemoryState, blockHash: Host['blockHash']): Host {
  return {
    account(address) {
      const account = state.accounts.get(keyOf(address))
      if (!account) return undefined
      const { nonce, balance, codeHash, storage } = account
      return { nonce, balance, codeHash, hasStorage: storage.size > 0 }
    },
    storage: (address, slot) => state.accounts.get(keyOf(address))?.storage.get(keyOf(slot)) ?? emptyBytes,
    code: (codeHash) => state.codes.get(keyOf(codeHash)) ?? emptyBytes,
    blockHash,
  }
}
