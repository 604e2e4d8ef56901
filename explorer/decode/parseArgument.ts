import { type AbiParameter, isAddress } from 'viem'

/** Digits from which on a number of JSON would be rounded. */
const longNumber = /("(?:[^"\\]|\\.)*")|(-?\d{16,})/g
const mark = '\u0000'

/** JSON whose long numbers keep all their digits. */
function parseList(text: string): unknown {
  const marked = text.replace(longNumber, (_, string?: string, digits?: string) => string ?? `"\\u0000${digits}"`)
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(1)) : value,
  )
}

function parseBool(text: string): boolean {
  if (/^(true|1|yes)$/i.test(text)) return true
  if (/^(false|0|no)$/i.test(text)) return false
  throw new Error('true or false')
}

function parseAddress(text: string): string {
  if (!isAddress(text, { strict: false })) throw new Error('0x and 40 hexadecimal digits')
  return text.toLowerCase()
}

function parseBytes(text: string): string {
  if (!/^0x([0-9a-f]{2})*$/i.test(text)) throw new Error('0x and an even number of hexadecimal digits')
  return text
}

/** Reads a value that is no text; what it should be is the message of the error. */
function parseValue(type: string, text: string): unknown {
  if (type.endsWith(']') || type.startsWith('tuple')) {
    try {
      return parseList(text)
    } catch {
      throw new Error(type.endsWith(']') ? 'a list in JSON, such as [1, 2]' : 'an object in JSON, such as {"a": 1}')
    }
  }
  if (type === 'bool') return parseBool(text)
  if (type === 'address') return parseAddress(text)
  if (type.startsWith('bytes')) return parseBytes(text)
  try {
    return BigInt(text)
  } catch {
    throw new Error('a whole number, decimal or with 0x')
  }
}

/** Reads what was typed for a parameter: JSON for arrays and tuples, plain text for the rest. An error says what is expected. */
export function parseArgument({ type, name }: AbiParameter, text: string): unknown {
  if (type === 'string') return text
  const of = name ? `${name} (${type})` : type
  const trimmed = text.trim()
  if (trimmed === '') throw new Error(`Enter a value for ${of}.`)
  try {
    return parseValue(type, trimmed)
  } catch (error) {
    throw new Error(`${of} is ${(error as Error).message}.`)
  }
}
