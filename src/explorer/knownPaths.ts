/** Paths of other explorers, which wallets, tools and people's own notes have, and the pages that they mean here. */
const known: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/^\/address\/(0x[0-9a-fA-F]{40})$/, 'address/$1'],
  [/^\/token\/(0x[0-9a-fA-F]{40})$/, 'token/$1'],
  [/^\/tx\/(0x[0-9a-fA-F]{64})$/, 'tx/$1'],
  [/^\/block\/([0-9]{1,16}|0x[0-9a-fA-F]{64})$/, 'block/$1'],
  [/^\/blocks$/, 'blocks'],
  [/^\/txs$/, 'transactions'],
]

/** Where a path of other explorers leads; undefined if it is none. Nothing of the path is taken that is not a number or hexadecimal. */
export function pageOfKnownPath(path: string): string | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  for (const [pattern, page] of known) if (pattern.test(plain)) return `/#/${plain.replace(pattern, page)}`
  return undefined
}
