/**
 * Where a search leads: a page's address, `hash` for what may be a block or a transaction, `part` of a hash or an address that was not
 * copied whole, undefined for nothing known.
 */
export type Found = { readonly kind: 'block' | 'address' | 'hash' | 'part'; readonly value: string } | undefined

/** Reads what was typed into the search field. */
export function parseSearch(text: string): Found {
  const value = text.trim()
  if (/^(0x)?[0-9a-f]{64}$/i.test(value)) return { kind: 'hash', value: withPrefix(value) }
  if (/^(0x)?[0-9a-f]{40}$/i.test(value)) return { kind: 'address', value: withPrefix(value) }
  const digits = value.replace(/[\s,_#]/g, '')
  if (/^\d{1,15}$/.test(digits)) return { kind: 'block', value: String(Number(digits)) }
  if (/^0x[0-9a-f]{1,8}$/i.test(digits)) return { kind: 'block', value: String(Number(digits)) }
  // No chain has that many blocks.
  if (/^0x[0-9a-f]{9,}(…|\.\.\.)?/i.test(value)) return { kind: 'part', value }
  if (/^(latest|earliest|finalized|safe)$/i.test(value)) return { kind: 'block', value: value.toLowerCase() }
  return undefined
}

const withPrefix = (hex: string) => (/^0x/i.test(hex) ? `0x${hex.slice(2).toLowerCase()}` : `0x${hex.toLowerCase()}`)
