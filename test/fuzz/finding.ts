import { fromHex, toHex } from '../../src/primitives/hex.ts'
import type { AccountState } from '../oracle/state.ts'
import type { Scenario } from './scenario.ts'

/** A scenario that went wrong once. */
export interface Finding {
  readonly about: string
  readonly seed: number
  readonly scenario: Scenario
  /** State root after each transaction, which also tells of gas, because gas has its price. */
  readonly roots: readonly Uint8Array[]
}

/** JSON text in which `#1f` is a number and `0x1f` a byte. */
export function findingToJson({ scenario, ...rest }: Finding): string {
  const pre = [...scenario.pre].map(([address, account]) => ({ address, ...account, storage: [...account.storage] }))
  return JSON.stringify(toPlain({ ...rest, scenario: { ...scenario, pre } }), undefined, 1) + '\n'
}

export function findingOfJson(text: string): Finding {
  const { scenario, ...rest } = fromPlain(JSON.parse(text)) as Finding & { scenario: { pre: unknown } }
  const accounts = scenario.pre as unknown as (Omit<AccountState, 'storage'> & Stored)[]
  const pre = accounts.map(
    ({ address, storage, ...same }) => [address, { ...same, storage: new Map(storage) }] as const,
  )
  return { ...rest, scenario: { ...scenario, pre: new Map(pre) } }
}

interface Stored {
  readonly address: bigint
  readonly storage: readonly (readonly [bigint, bigint])[]
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return '#' + value.toString(16)
  if (value instanceof Uint8Array) return toHex(value)
  return mapMembers(value, toPlain)
}

function fromPlain(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('#')) return BigInt('0x' + value.slice(1))
  if (typeof value === 'string' && value.startsWith('0x')) return fromHex(value)
  return mapMembers(value, fromPlain)
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}
