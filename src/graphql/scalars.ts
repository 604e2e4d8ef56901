import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { type Address, emptyBytes, type Hash32, padLeft } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { showValue } from './showValue.ts'

/** Reads a value; undefined if it is invalid. */
type Read<T> = (text: string, isNumber: boolean) => T | undefined

interface ScalarParts<T> {
  readonly name: string
  readonly read: Read<T>
  write(value: T | number): string | number
  /** The error for an invalid variable, if it is not the default one. */
  refuse?(input: unknown): GraphQLError | undefined
}

/** A scalar that reads literals and variables, with Besu's messages for invalid ones. */
function scalar<T>({ name, read, write, refuse }: ScalarParts<T>): GraphQLScalarType<T, string | number> {
  return new GraphQLScalarType<T, string | number>({
    name,
    serialize: (value) => write(value as T | number),
    parseLiteral(node) {
      const value = readLiteral(node, read)
      if (value === undefined) throw new GraphQLError(`Value is not any ${name} : '${showValue(node)}'`)
      return value
    },
    parseValue(input) {
      const isNumber = typeof input === 'number'
      const value = isNumber || typeof input === 'string' ? read(String(input), isNumber) : undefined
      if (value === undefined)
        throw refuse?.(input) ?? new GraphQLError(`Unable to parse variable value ${show(input)} as an ${name}`)
      return value
    },
  })
}

const show = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input))

function readLiteral<T>(node: ValueNode, read: Read<T>): T | undefined {
  if (node.kind === Kind.STRING) return read(node.value, false)
  return node.kind === Kind.INT ? read(node.value, true) : undefined
}

/** The digits after `0x`; a text without `0x` has an error of its own. */
function prefixedDigits(name: string, text: string): string {
  if (!text.startsWith('0x'))
    throw new GraphQLError(`${name} value '${text}' is not prefixed with 0x`, { extensions: { bare: true } })
  return text.slice(2)
}

/** The bytes of hex digits, padded by a leading 0 if their number is odd; undefined if they are invalid. */
function bytesOf(digits: string): Uint8Array | undefined {
  if (!/^[0-9a-fA-F]*$/.test(digits)) return undefined
  return digits === ''
    ? emptyBytes
    : new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

const hexOf = (n: bigint | number): string => `0x${n.toString(16)}`

/** 20 bytes. */
export const addressScalar = scalar<Address>({
  name: 'Address',
  read(text, isNumber) {
    const digits = text.startsWith('0x') ? text.slice(2) : text
    return isNumber || digits.length !== 40 ? undefined : (bytesOf(digits) as Address | undefined)
  },
  write: (value) => toHex(value as Address),
})

/** 32 bytes. */
export const bytes32Scalar = scalar<Hash32>({
  name: 'Bytes32',
  read(text, isNumber) {
    const bytes = isNumber ? undefined : bytesOf(prefixedDigits('Bytes32', text))
    return bytes && bytes.length <= 32 ? (padLeft(bytes, 32) as Hash32) : undefined
  },
  write: (value) => toHex(value as Hash32),
})

/** Any number of bytes. */
export const bytesScalar = scalar<Uint8Array>({
  name: 'Bytes',
  read: (text, isNumber) => (isNumber ? undefined : bytesOf(prefixedDigits('Bytes', text))),
  write: (value) => toHex(value as Uint8Array),
})

/** A number of up to 256 bits. */
export const bigIntScalar = scalar<bigint>({
  name: 'BigInt',
  read(text, isNumber) {
    if (isNumber) return /^[0-9]{1,78}$/.test(text) ? BigInt(text) : undefined
    const digits = /^(?:0x)?([0-9a-fA-F]{0,64})$/.exec(text)?.[1]
    return digits === undefined ? undefined : BigInt(`0x${digits || '0'}`)
  },
  write: hexOf,
})

const maxLong = (1n << 63n) - 1n

function readLong(text: string): bigint | undefined {
  const value = /^(?:-?[0-9]{1,20}|0[xX][0-9a-fA-F]{0,16})$/.test(text)
    ? BigInt(/^0x$/i.test(text) ? 0 : text.toLowerCase())
    : undefined
  return value !== undefined && value <= maxLong && value >= -maxLong ? value : undefined
}

/** A number of 64 bits. Numbers that a JSON integer cannot hold exactly are always written in hex. */
export function longScalar(asHex: boolean): GraphQLScalarType<bigint, string | number> {
  return scalar<bigint>({
    name: 'Long',
    read: readLong,
    write(value) {
      const n = Number(value)
      return asHex || !Number.isSafeInteger(n) ? hexOf(value) : n
    },
    // As in Besu, an invalid number is an internal error.
    refuse(input) {
      if (typeof input !== 'string') return undefined
      return new GraphQLError(`For input string: "${input}"`, { extensions: { status: 500 } })
    },
  })
}
