import type { Address } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { createAllowlist, type Entry } from './allowlist.ts'
import { AllowlistError, PermissionsFileError } from './fault.ts'
import { readList } from './permissionsFile.ts'
import type { TxRule } from './rules.ts'

/** The accounts that may send transactions. */
export interface AccountsAllowlist {
  readonly rule: TxRule
  /** Lower-case addresses, oldest first. */
  list(): readonly string[]
  /** Adds accounts, all or none; throws an AllowlistError. */
  add(texts: readonly unknown[]): void
  /** Removes accounts, all or none; throws an AllowlistError. */
  remove(texts: readonly unknown[]): void
  /** Reads the file; the function that it returns replaces the list. Throws a PermissionsFileError. */
  read(): () => void
  onChange(listener: () => void): () => void
}

const keys = { key: 'accounts-allowlist', oldKey: 'accounts-whitelist' }

/** Reads the accounts of a permissions file; throws a PermissionsFileError. */
export function openAccountsAllowlist(path: string): AccountsAllowlist {
  const list = createAllowlist({ path, keys, keyOf: parseAccount, entries: readAccounts(path) })
  const rule: TxRule = { check: (_, sender) => (list.has(keyOfAddress(sender)) ? 'allowed' : 'refused') }
  return {
    rule,
    list: () => list.entries().map(({ key }) => key),
    add(texts) {
      const accounts = parseRequest(texts)
      if (accounts.some(list.has)) throw new AllowlistError({ code: 'ACCOUNT_EXISTS' })
      list.add(accounts.map(entryOf))
    },
    remove(texts) {
      const accounts = parseRequest(texts)
      if (!accounts.every(list.has)) throw new AllowlistError({ code: 'ACCOUNT_ABSENT' })
      list.remove(accounts)
    },
    read() {
      const accounts = readAccounts(path)
      return () => list.replace(accounts)
    },
    onChange: list.onChange,
  }
}

function readAccounts(path: string): readonly Entry<string>[] {
  return readList(path, keys).items.map((text) => {
    const account = parseAccount(text)
    if (account === undefined) throw new PermissionsFileError({ code: 'INVALID_ACCOUNT', path, text })
    return { text, key: account, value: account }
  })
}

/** Checks the accounts of a request, in the order of Besu. */
function parseRequest(texts: readonly unknown[]): readonly string[] {
  if (texts.length === 0) throw new AllowlistError({ code: 'ACCOUNTS_EMPTY' })
  const accounts = texts.map((text) => {
    const account = typeof text === 'string' ? parseAccount(text) : undefined
    if (account === undefined) throw new AllowlistError({ code: 'ACCOUNT_INVALID' })
    return account
  })
  if (new Set(accounts).size < accounts.length) throw new AllowlistError({ code: 'ACCOUNTS_DUPLICATE' })
  return accounts
}

function entryOf(account: string): Entry<string> {
  return { text: account, key: account, value: account }
}

function parseAccount(text: string): string | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) && !text.endsWith('\n') ? text.toLowerCase() : undefined
}

const keyOfAddress = (address: Address) => toHex(address)
