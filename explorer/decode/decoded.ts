import type { AbiParameter } from 'viem'

/** A value with its name and type in the ABI. */
export interface DecodedValue {
  readonly name: string
  readonly type: string
  readonly value: unknown
}

/** A call, event or error in words of its ABI. */
export interface Decoded {
  readonly name: string
  readonly values: readonly DecodedValue[]
}

/** Puts values beside the names and types of their parameters. */
export function pairValues(parameters: readonly AbiParameter[], values: unknown): readonly DecodedValue[] {
  return parameters.map(({ name = '', type }, i) => {
    const value = Array.isArray(values) ? values[i] : (values as Record<string, unknown> | undefined)?.[name]
    return { name: name || `#${i}`, type, value }
  })
}

/** A decoded value as text; tuples and arrays as JSON. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === undefined) return ''
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 1)
}
