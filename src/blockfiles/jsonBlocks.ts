import { readFileSync } from 'node:fs'
import { type Address, type Hash32, padLeft, toAddress } from '../primitives/bytes.ts'
import { fromHex } from '../primitives/hex.ts'
import { isJsonObject } from '../primitives/json.ts'
import { curve } from '../primitives/secp256k1.ts'
import { BlockFileError } from './fault.ts'

/** A transaction to be signed with its key; the nonce is the account's next. */
export interface PlannedTx {
  readonly secretKey: Uint8Array
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  readonly value: bigint
  readonly to: Address | undefined
  readonly data: Uint8Array
}

/** A block that a JSON file describes. */
export interface PlannedBlock {
  readonly number: bigint | undefined
  /** Undefined, also if the file has the zero hash, means the head. */
  readonly parentHash: Hash32 | undefined
  readonly coinbase: Address | undefined
  readonly extraData: Uint8Array | undefined
  readonly transactions: readonly PlannedTx[]
}

/** By lower-case key: Besu ignores the case of keys. */
type Members = ReadonlyMap<string, unknown>

/** Reads Besu's JSON form of a list of blocks. */
export function readJsonBlocks(path: string): PlannedBlock[] {
  const text = readText(path)
  try {
    return list(members(JSON.parse(text), 'the file'), 'blocks').map((block, i) => readBlock(block, `blocks[${i}]`))
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    throw new BlockFileError({ code: 'JSON_INVALID', path, reason: error.message }, error)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BlockFileError(
      code === 'ENOENT' ? { code: 'FILE_MISSING', path } : { code: 'FILE_UNREADABLE', path, reason: message },
      error,
    )
  }
}

function readBlock(json: unknown, at: string): PlannedBlock {
  const block = members(json, at)
  const parentHash = bytes(block, 'parentHash', at, 32) as Hash32 | undefined
  return {
    number: quantity(block, 'number', at),
    parentHash: parentHash?.some((byte) => byte !== 0) ? parentHash : undefined,
    coinbase: address(block, 'coinbase', at),
    extraData: bytes(block, 'extraData', at),
    transactions: list(block, 'transactions').map((tx, i) => readTx(tx, `${at}.transactions[${i}]`)),
  }
}

function readTx(json: unknown, at: string): PlannedTx {
  const tx = members(json, at)
  const secretKey = bytes(tx, 'secretKey', at, 32)
  if (!secretKey || !curve.isPrivateKey(secretKey)) throw new RangeError(`${at}.secretKey is not a private key`)
  const gasLimit = quantity(tx, 'gasLimit', at)
  const gasPrice = quantity(tx, 'gasPrice', at)
  if (gasLimit === undefined || gasPrice === undefined)
    throw new RangeError(`${at} needs the members gasLimit and gasPrice`)
  return {
    secretKey,
    gasLimit,
    gasPrice,
    value: quantity(tx, 'value', at) ?? 0n,
    to: address(tx, 'to', at),
    data: bytes(tx, 'data', at) ?? new Uint8Array(0),
  }
}

function members(json: unknown, at: string): Members {
  if (!isJsonObject(json)) throw new RangeError(`${at} is not a JSON object`)
  return new Map(Object.entries(json).map(([key, value]) => [key.toLowerCase(), value]))
}

function member(object: Members, key: string): unknown {
  return object.get(key.toLowerCase()) ?? undefined
}

function list(object: Members, key: string): readonly unknown[] {
  const value = member(object, key)
  if (!Array.isArray(value)) throw new RangeError(`${key} is not a JSON array`)
  return value
}

/** A JSON number, or a text in decimal or, with `0x`, in hexadecimal. */
function quantity(object: Members, key: string, at: string): bigint | undefined {
  const value = member(object, key)
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)) return BigInt(value)
  throw new RangeError(`${at}.${key} is not a number: ${String(value)}`)
}

/** Bytes in hexadecimal; if a length is given, leading zeros may be omitted. */
function bytes(object: Members, key: string, at: string, length?: number): Uint8Array | undefined {
  const value = member(object, key)
  if (value === undefined) return undefined
  const digits = typeof value === 'string' ? /^(?:0x)?([0-9a-f]*)$/i.exec(value)?.[1] : undefined
  if (digits === undefined) throw new RangeError(`${at}.${key} is not hexadecimal`)
  const found = fromHex(digits.length % 2 ? `0${digits}` : digits)
  if (length === undefined) return found
  if (found.length > length) throw new RangeError(`${at}.${key} is longer than ${length} bytes`)
  return padLeft(found, length)
}

function address(object: Members, key: string, at: string): Address | undefined {
  const found = bytes(object, key, at, 20)
  return found && toAddress(found)
}
