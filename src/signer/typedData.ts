import { concatBytes, type Hash32, padLeft, zeroHash } from '../primitives/bytes.ts'
import type { JsonObject } from '../primitives/json.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { toWord } from '../primitives/u256.ts'
import { invalidParams } from './fault.ts'
import { readAddress, readBytes, readList, readObject } from './json.ts'

/** A member of a struct type. */
interface Member {
  readonly name: string
  readonly type: string
}
type Types = ReadonlyMap<string, readonly Member[]>

const utf8 = (text: string) => new Uint8Array(Buffer.from(text))
const hashText = (text: string) => keccak256(utf8(text))

/** Members that a domain may have, in the order of EIP-712. */
const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const domainType = 'EIP712Domain'

/** Returns the hash that is signed for typed data (EIP-712, eth_signTypedData_v4). */
export function hashTypedData(json: unknown): Hash32 {
  const object = readObject(json, 'typed data')
  const domain = readObject(object['domain'], 'domain')
  const { primaryType } = object
  if (typeof primaryType !== 'string') throw invalidParams('primaryType is missing')
  const types = readTypes(readObject(object['types'], 'types'), domain)
  const start = [Uint8Array.of(0x19, 0x01), hashStruct(types, domainType, domain)]
  if (primaryType !== domainType) start.push(hashStruct(types, primaryType, readObject(object['message'], 'message')))
  return keccak256(concatBytes(...start))
}

function readTypes(json: JsonObject, domain: JsonObject): Types {
  const types = new Map<string, readonly Member[]>()
  // Where the type of the domain is missing, it has the members that the domain has.
  types.set(
    domainType,
    domainMembers.filter(({ name }) => Object.hasOwn(domain, name)),
  )
  for (const [name, members] of Object.entries(json)) types.set(name, readList(members, name).map(readMember))
  return types
}

function readMember(json: unknown): Member {
  const { name, type } = readObject(json, 'member of a type')
  if (typeof name !== 'string' || typeof type !== 'string') throw invalidParams('a member of a type lacks name or type')
  return { name, type }
}

const arrayPattern = /^(.*)\[(\d*)\]$/s
const baseOf = (type: string) => type.replace(/(?:\[\d*\])+$/, '')

/** The text of a struct type, followed by those that it refers to, in alphabetical order. */
function encodeType(types: Types, name: string): string {
  const found = new Set<string>()
  const visit = (type: string) => {
    const members = types.get(type)
    if (!members || found.has(type)) return
    found.add(type)
    for (const member of members) visit(baseOf(member.type))
  }
  visit(name)
  found.delete(name)
  const show = (type: string) =>
    `${type}(${types
      .get(type)!
      .map((one) => `${one.type} ${one.name}`)
      .join(',')})`
  return [name, ...[...found].sort()].map(show).join('')
}

function hashStruct(types: Types, type: string, value: JsonObject): Hash32 {
  const members = types.get(type)
  if (!members) throw invalidParams(`the type ${type} is not among types`)
  const words = members.map((member) =>
    encodeValue(types, member.type, Object.hasOwn(value, member.name) ? value[member.name] : undefined, member.name),
  )
  return keccak256(concatBytes(hashText(encodeType(types, type)), ...words))
}

/** The 32 bytes of a value within its struct. */
function encodeValue(types: Types, type: string, value: unknown, name: string): Uint8Array {
  const array = arrayPattern.exec(type)
  if (array) {
    const items = readList(value, name)
    if (array[2] !== '' && items.length !== Number(array[2]))
      throw invalidParams(`${name} does not have ${array[2]} items`)
    return keccak256(Buffer.concat(items.map((item) => encodeValue(types, array[1]!, item, name))))
  }
  if (types.has(type))
    // A struct that is absent, such as the end of a recursive type, is zero.
    return value === undefined || value === null ? zeroHash : hashStruct(types, type, readObject(value, name))
  return encodeAtom(type, value, name)
}

function encodeAtom(type: string, value: unknown, name: string): Uint8Array {
  if (type === 'string') {
    if (typeof value !== 'string') throw invalidParams(`${name} is not a string`)
    return hashText(value)
  }
  if (type === 'bytes') return keccak256(readBytes(value, name))
  if (type === 'address') return padLeft(readAddress(value, name), 32)
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw invalidParams(`${name} is not a boolean`)
    return toWord(value ? 1n : 0n)
  }
  const [, kind, digits = ''] = /^(bytes|uint|int)(\d*)$/.exec(type) ?? []
  const size = digits === '' ? 256 : Number(digits)
  if (kind === 'bytes' && size >= 1 && size <= 32) {
    const bytes = readBytes(value, name)
    if (bytes.length !== size) throw invalidParams(`${name} does not have ${size} bytes`)
    return concatBytes(bytes, new Uint8Array(32 - size))
  }
  if (kind === undefined || kind === 'bytes' || size % 8 !== 0 || size < 8 || size > 256)
    throw invalidParams(`the type ${type} of ${name} is unknown`)
  return encodeInteger(value, kind === 'int', size, name)
}

function encodeInteger(value: unknown, signed: boolean, bits: number, name: string): Uint8Array {
  const text = typeof value === 'string' && /^(?:-?\d+|0x[0-9a-fA-F]+)$/.test(value) ? value : undefined
  if (text === undefined && !Number.isSafeInteger(value)) throw invalidParams(`${name} is not an integer`)
  const number = BigInt(text ?? (value as number))
  const fits = signed ? BigInt.asIntN(bits, number) === number : BigInt.asUintN(bits, number) === number
  if (!fits) throw invalidParams(`${name} does not fit into ${signed ? 'int' : 'uint'}${bits}`)
  return toWord(BigInt.asUintN(256, number))
}
