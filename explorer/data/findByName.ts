import type { Hex } from 'viem'
import { findNames } from './names.ts'
import type { Ask } from './rpc.ts'
import { loadTokens } from './tokenLists.ts'
import { loadToken } from './tokens.ts'

/** Tokens whose names are looked through: those with the most transfers. */
const maxTokens = 500
const maxFound = 25

/** Something that has a name. */
export interface NamedPage {
  readonly route: string
  readonly name: string
  readonly what: 'token' | 'account'
  readonly address: string
}

/** Accounts and tokens whose name or symbol has a text in it; tokens only where they are indexed. */
export async function findByName(ask: Ask, text: string, hasTokens: boolean): Promise<readonly NamedPage[]> {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const accounts = findNames(text).map(([address, name]) => ({
    ...{ route: `address/${address}`, name, what: 'account' as const, address },
  }))
  const listed = hasTokens ? await loadTokens(ask, maxTokens, null).catch(() => undefined) : undefined
  const addresses = [...new Set(listed?.entries.map(({ address }) => address) ?? [])]
  const tokens = await Promise.all(
    addresses.map(async (address: Hex) => {
      const { name = '', symbol = '' } = await loadToken(ask, address)
      const isWanted = [name, symbol].some((one) => one.toLowerCase().includes(wanted))
      return isWanted
        ? [{ route: `token/${address}`, name: `${symbol} ${name}`.trim(), what: 'token' as const, address }]
        : []
    }),
  )
  return [...accounts, ...tokens.flat()].slice(0, maxFound)
}
