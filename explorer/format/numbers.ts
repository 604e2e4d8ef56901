import { formatUnits } from 'viem'

const grouped = new Intl.NumberFormat('en')

/** A whole number with its digits in groups: 1,234,567. */
export function formatCount(value: bigint | number): string {
  return grouped.format(value)
}

/** A number with at most so many digits after the point. */
export function formatDecimal(value: number, digits = 1): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: digits }).format(value)
}

const shownDigits = 6

/** An amount in units of 10^decimals, cut (not rounded) after six digits: what is shown is never more than there is. */
export function formatAmount(value: bigint, decimals: number): string {
  const [whole, fraction = ''] = formatUnits(value, decimals).split('.')
  const negative = whole!.startsWith('-')
  const digits = fraction.slice(0, shownDigits).replace(/0+$/, '')
  const groups = formatCount(BigInt(negative ? whole!.slice(1) : whole!))
  const tiny = groups === '0' && digits === '' && value !== 0n
  const text = tiny ? `<0.${'0'.repeat(shownDigits - 1)}1` : digits ? `${groups}.${digits}` : groups
  return negative ? `−${text}` : text
}

/** All digits of an amount. */
export function formatExact(value: bigint, decimals: number): string {
  return formatUnits(value, decimals)
}

/** Part of a whole as percent: 42 %. */
export function formatShare(part: bigint, whole: bigint): string {
  const permille = whole === 0n ? 0 : Number((part * 1000n) / whole)
  return part > 0n && permille === 0 ? '<0.1 %' : `${formatDecimal(permille / 10)} %`
}

/** A number of bytes: 12 B, 3.4 kB, 1.2 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${formatDecimal(bytes / 1000)} kB` : `${formatDecimal(bytes / 1_000_000)} MB`
}
