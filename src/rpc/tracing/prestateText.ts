import type { Prestate, TracedAccount } from '../../execution/tracing/prestateTracer.ts'
import { toHex } from '../../primitives/hex.ts'

function accountText({ balance, nonce, code, codeHash, storage }: TracedAccount): string {
  const members: string[] = []
  if (balance !== undefined) members.push(`"balance":"0x${balance.toString(16)}"`)
  if (code) members.push(`"code":"${toHex(code)}"`)
  if (codeHash) members.push(`"codeHash":"${toHex(codeHash)}"`)
  if (nonce > 0n) members.push(`"nonce":${nonce}`)
  const slots = storage.map(({ slot, value }) => `"${toHex(slot)}":"${toHex(value)}"`)
  if (slots.length > 0) members.push(`"storage":{${slots.join(',')}}`)
  return `{${members.join(',')}}`
}

/** Accounts by address, as geth's `prestateTracer` shows them. */
export function accountsText(accounts: readonly TracedAccount[]): string {
  return `{${accounts.map((account) => `"${toHex(account.address)}":${accountText(account)}`).join(',')}}`
}

/** The same, before and after, in its `diffMode`. */
export function prestateText({ pre, post }: Prestate): string {
  return `{"post":${accountsText(post)},"pre":${accountsText(pre)}}`
}
