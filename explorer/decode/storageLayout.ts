import { type Hex, hexToBigInt, hexToString } from 'viem'

/** A layout of storage as solc writes it. */
export interface StorageLayout {
  readonly storage: readonly StorageEntry[]
  readonly types: Readonly<Record<string, StorageType>> | null
}

interface StorageEntry {
  readonly label: string
  readonly slot: string
  readonly offset: number
  readonly type: string
}

interface StorageType {
  readonly label: string
  readonly encoding: string
  readonly numberOfBytes: string
  readonly members?: readonly StorageEntry[]
}

/** A variable, or a member of one, and where it lies. */
export interface Variable {
  readonly name: string
  readonly type: string
  readonly encoding: string
  readonly slot: bigint
  /** From the end of the slot, in bytes. */
  readonly offset: number
  readonly bytes: number
}

/** Variables that are listed, with the members of structures. */
const maxVariables = 200

/** The variables of a contract in the order of its storage; members of structures as variables of their own. */
export function listVariables({ storage, types }: StorageLayout): readonly Variable[] {
  const found: Variable[] = []
  function add({ label, slot, offset, type }: StorageEntry, before: string, base: bigint, depth: number): void {
    const known = types?.[type]
    if (!known || found.length >= maxVariables || depth > 8) return
    const name = before + label
    const at = base + BigInt(slot)
    if (known.members) for (const member of known.members) add(member, `${name}.`, at, depth + 1)
    else
      found.push({
        ...{ name, type: known.label, encoding: known.encoding, slot: at, offset },
        bytes: Number(known.numberOfBytes),
      })
  }
  for (const entry of storage) add(entry, '', 0n, 0)
  return found
}

/** The value of a variable in the word of its slot, in words. */
export function readVariable({ type, encoding, offset, bytes }: Variable, word: Hex): string {
  const value = hexToBigInt(word)
  if (encoding === 'bytes') return readBytes(type, word, value)
  if (encoding === 'mapping') return 'a mapping: its values lie at the hashes of their keys'
  if (encoding === 'dynamic_array') return `${value} ${value === 1n ? 'item' : 'items'}`
  if (bytes > 32) return `${value} in its first slot`
  const part = (value >> BigInt(8 * offset)) & ((1n << BigInt(8 * bytes)) - 1n)
  if (type === 'bool') return part === 0n ? 'false' : 'true'
  if (/^(address|contract)/.test(type)) return `0x${part.toString(16).padStart(40, '0')}`
  if (/^bytes[0-9]/.test(type)) return `0x${part.toString(16).padStart(2 * bytes, '0')}`
  const isNegative = /^int/.test(type) && part >> BigInt(8 * bytes - 1) === 1n
  return String(isNegative ? part - (1n << BigInt(8 * bytes)) : part)
}

/** Short texts lie in the slot itself, with twice their length in the last byte; long ones elsewhere, with their length here. */
function readBytes(type: string, word: Hex, value: bigint): string {
  if ((value & 1n) === 1n) return `${(value - 1n) / 2n} bytes`
  const length = Number(value & 0xffn) / 2
  const data: Hex = `0x${word.slice(2, 2 + 2 * length)}`
  return type === 'string' ? `“${hexToString(data)}”` : data
}
