/** What to answer to a browser's Origin: the origin to allow, or undefined to refuse. */
export type CorsCheck = (origin: string) => string | undefined

/** Entries are regular expressions that must match the whole origin; `*` takes any. No entries: every origin is refused. */
export function createCorsCheck(origins: readonly string[]): CorsCheck {
  if (origins.length === 0) return () => undefined
  if (origins.includes('*')) return () => '*'
  const pattern = new RegExp(`^(?:${origins.join('|')})$`)
  return (origin) => (pattern.test(origin) ? origin : undefined)
}
