import { opcodes } from '../../../src/evm/opcodes.ts'

/** An opcode, what to push (hexadecimal), the place of a label to push, a label, or bytes as they are. */
export type Item =
  | keyof typeof opcodes
  | { readonly push: string }
  | { readonly to: string }
  | { readonly label: string }
  | { readonly data: string }

const byteHex = (byte: number) => byte.toString(16).padStart(2, '0')

function sizeOf(item: Item): number {
  if (typeof item === 'string') return 1
  if ('push' in item) return 1 + item.push.length / 2
  if ('to' in item) return 3
  return 'data' in item ? item.data.length / 2 : 0
}

/** Code in hexadecimal without 0x. Labels are places, not JUMPDESTs, so that data can have them too. */
export function assemble(items: readonly Item[]): string {
  const places = new Map<string, number>()
  let at = 0
  for (const item of items) {
    if (typeof item === 'object' && 'label' in item) places.set(item.label, at)
    at += sizeOf(item)
  }
  const encode = (item: Item): string => {
    if (typeof item === 'string') return byteHex(opcodes[item])
    if ('push' in item) return byteHex(opcodes.PUSH1 + item.push.length / 2 - 1) + item.push
    if ('to' in item) return byteHex(opcodes.PUSH2) + places.get(item.to)!.toString(16).padStart(4, '0')
    return 'data' in item ? item.data : ''
  }
  return items.map(encode).join('')
}

/** Code that creates a contract with this code. */
export function creationOf(code: string): `0x${string}` {
  const size = (code.length / 2).toString(16).padStart(4, '0')
  const prefix = assemble([
    { push: size },
    'DUP1',
    { push: '0c' },
    { push: '00' },
    'CODECOPY',
    { push: '00' },
    'RETURN',
  ])
  return `0x${prefix}${code}`
}
