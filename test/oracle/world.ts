import { emptyBytes } from '../../src/primitives/bytes.ts'
import type { Log } from '../../src/types/log.ts'
import type { State } from './state.ts'

interface Account {
  nonce: bigint
  balance: bigint
  code: Uint8Array
  readonly storage: Map<bigint, bigint>
}

/** 0x03, whose touch without value outlives the failure of the frame that made it: mainnet has such a block. */
const ripemd160 = 3n

/**
 * The accounts as one transaction sees and changes them. Every change leaves a function that undoes it, so that
 * a snapshot is the number of those functions and a revert calls them backwards.
 */
export type World = ReturnType<typeof createWorld>

export function createWorld(pre: State, clearsEmptyAccounts: boolean) {
  const accounts = new Map<bigint, Account>()
  for (const [address, { nonce, balance, code, storage }] of pre)
    accounts.set(address, { nonce, balance, code, storage: new Map(storage) })

  const undo: (() => void)[] = []
  const logs: Log[] = []
  const transient = new Map<string, bigint>()
  const warm = new Set<string>()
  const touched = new Set<bigint>()
  const created = new Set<bigint>()
  const destroyed = new Set<bigint>()
  let refund = 0n

  const slotKey = (address: bigint, slot: bigint) => `${address}/${slot}`

  function add<T>(set: Set<T>, value: T): void {
    if (set.has(value)) return
    set.add(value)
    undo.push(() => set.delete(value))
  }

  function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    const before = map.get(key)
    if (value === undefined) map.delete(key)
    else map.set(key, value)
    undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)))
  }

  /** Marks the account as one that EIP-161 looks at when the transaction ends. */
  function touch(address: bigint): void {
    add(touched, address)
  }

  /** The account to change, made when it is not there. */
  function open(address: bigint): Account {
    touch(address)
    let account = accounts.get(address)
    if (account === undefined) {
      account = { nonce: 0n, balance: 0n, code: emptyBytes, storage: new Map() }
      set(accounts, address, account)
    }
    return account
  }

  function setBalance(address: bigint, balance: bigint): void {
    const account = open(address)
    const before = account.balance
    account.balance = balance
    undo.push(() => {
      account.balance = before
    })
  }

  function setNonce(address: bigint, nonce: bigint): void {
    const account = open(address)
    const before = account.nonce
    account.nonce = nonce
    undo.push(() => {
      account.nonce = before
    })
  }

  const balance = (address: bigint) => accounts.get(address)?.balance ?? 0n

  function isEmpty(address: bigint): boolean {
    const account = accounts.get(address)
    return account === undefined || (account.nonce === 0n && account.balance === 0n && account.code.length === 0)
  }

  return {
    exists: (address: bigint) => accounts.has(address),
    isEmpty,
    balance,
    nonce: (address: bigint) => accounts.get(address)?.nonce ?? 0n,
    code: (address: bigint) => accounts.get(address)?.code ?? emptyBytes,
    hasStorage: (address: bigint) => (accounts.get(address)?.storage.size ?? 0) > 0,

    /** Adding nothing still touches the account, and before EIP-161 it brings it into being. */
    addBalance(address: bigint, wei: bigint): void {
      if (wei > 0n || !clearsEmptyAccounts) setBalance(address, balance(address) + wei)
      else if (address === ripemd160 && isEmpty(address)) touched.add(address)
      else touch(address)
    },
    subBalance(address: bigint, wei: bigint): void {
      if (wei > 0n) setBalance(address, balance(address) - wei)
    },
    setNonce,
    setCode(address: bigint, code: Uint8Array): void {
      const account = open(address)
      const before = account.code
      account.code = code
      undo.push(() => {
        account.code = before
      })
    },

    storage: (address: bigint, slot: bigint) => accounts.get(address)?.storage.get(slot) ?? 0n,
    /** The slot's value when the transaction began. */
    original: (address: bigint, slot: bigint) => pre.get(address)?.storage.get(slot) ?? 0n,
    setStorage(address: bigint, slot: bigint, value: bigint): void {
      set(open(address).storage, slot, value === 0n ? undefined : value)
    },
    transient: (address: bigint, slot: bigint) => transient.get(slotKey(address, slot)) ?? 0n,
    setTransient: (address: bigint, slot: bigint, value: bigint) => set(transient, slotKey(address, slot), value),

    isWarm: (address: bigint) => warm.has(`${address}`),
    warmAddress: (address: bigint) => add(warm, `${address}`),
    isWarmSlot: (address: bigint, slot: bigint) => warm.has(slotKey(address, slot)),
    warmSlot: (address: bigint, slot: bigint) => add(warm, slotKey(address, slot)),

    /** A contract's account at its birth; the balance that the address may have had stays. */
    createContract(address: bigint, nonce: bigint): void {
      setNonce(address, nonce)
      add(created, address)
    },
    wasCreated: (address: bigint) => created.has(address),
    destroy: (address: bigint) => add(destroyed, address),
    isDestroyed: (address: bigint) => destroyed.has(address),

    refund: () => refund,
    addRefund(gas: bigint): void {
      refund += gas
      undo.push(() => {
        refund -= gas
      })
    },

    logs: logs as readonly Log[],
    addLog(log: Log): void {
      logs.push(log)
      undo.push(() => logs.pop())
    },

    snapshot: () => undo.length,
    revertTo(snapshot: number): void {
      while (undo.length > snapshot) undo.pop()!()
    },

    /** The state after the transaction: without destroyed and, since EIP-161, without touched empty accounts. */
    finish(): State {
      for (const address of destroyed) accounts.delete(address)
      if (clearsEmptyAccounts) for (const address of touched) if (isEmpty(address)) accounts.delete(address)
      return accounts
    },
  }
}
