import type { AbiParameter } from 'viem'

/** Reads what was typed for a parameter: JSON for arrays and tuples, plain text for the rest. */
export function parseArgument({ type }: AbiParameter, text: string): unknown {
  const trimmed = text.trim()
  if (type.endsWith(']') || type.startsWith('tuple')) return JSON.parse(trimmed || '[]')
  if (type === 'bool') return /^(true|1|yes)$/i.test(trimmed)
  if (/^u?int/.test(type)) return BigInt(trimmed)
  return type === 'string' ? text : trimmed
}
