import { keep, readKept } from './kept.ts'

const maxRecent = 8

/** Something that was looked at lately. */
export interface Recent {
  readonly route: string
  readonly label: string
}

/** What was looked at lately, the last first. */
export const readRecent = (): readonly Recent[] => readKept<readonly Recent[]>('recent', [])

/** Remembers that a page was looked at. */
export function remember(route: string, label: string): void {
  const others = readRecent().filter((one) => one.route !== route)
  keep('recent', [{ route, label }, ...others].slice(0, maxRecent))
}
