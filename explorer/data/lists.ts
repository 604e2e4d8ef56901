import type { Hex } from 'viem'
import type { Ask } from './rpc.ts'

/** Entries of a list as of a block, and where it goes on. */
export interface Listed<T> {
  readonly block: Hex
  readonly entries: readonly T[]
  readonly next: string | null
}

/** Asks for a page of a list, and gives its entries one name. */
export async function loadListed<T>(
  ask: Ask,
  name: string,
  method: string,
  params: readonly unknown[],
): Promise<Listed<T>> {
  const page = await ask<Record<string, unknown>>(method, params)
  return { block: page['block'] as Hex, entries: page[name] as readonly T[], next: page['next'] as string | null }
}

/** Rows that are gathered for a file at most: more would keep node and browser busy for minutes. */
const maxGathered = 50_000
const gatheredAtOnce = 1000

/** All entries of a list, up to a limit. */
export async function gather<T>(loadPage: (size: number, cursor: string | null) => Promise<Listed<T>>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = null; all.length < maxGathered; ) {
    const page: Listed<T> = await loadPage(gatheredAtOnce, cursor)
    all.push(...page.entries)
    if (page.next === null) break
    cursor = page.next
  }
  return all
}
