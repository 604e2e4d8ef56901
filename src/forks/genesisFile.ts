import { type Address, type Hash32, padLeft, zeroAddress, zeroHash } from '../primitives/bytes.ts'
import { bigIntToFixed, toWord } from '../primitives/u256.ts'
import { GenesisError } from './fault.ts'
import {
  bytesMember,
  type JsonObject,
  member,
  numberMember,
  objectMember,
  parseBytes,
  parseNumber,
  toJsonObject,
} from './jsonObject.ts'

/** An account of the genesis allocation. */
export interface GenesisAccount {
  readonly address: Address
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: Uint8Array
  readonly storage: readonly { readonly slot: Hash32; readonly value: Uint8Array }[]
}

/** A parsed genesis file; `config` is interpreted in chainSpec.ts. */
export interface GenesisFile {
  readonly config: JsonObject
  readonly nonce: Uint8Array
  readonly timestamp: bigint
  readonly extraData: Uint8Array
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly mixHash: Hash32
  readonly beneficiary: Address
  readonly parentHash: Hash32
  readonly baseFee: bigint | undefined
  readonly blobGasUsed: bigint | undefined
  readonly excessBlobGas: bigint | undefined
  readonly parentBeaconRoot: Hash32 | undefined
  readonly alloc: readonly GenesisAccount[]
}

function required(object: JsonObject, key: string, alias?: string): bigint {
  const value = numberMember(object, key) ?? (alias === undefined ? undefined : numberMember(object, alias))
  if (value === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key })
  return value
}

function account(key: string, value: unknown): GenesisAccount {
  const fields = toJsonObject(value, `alloc.${key}`)
  const storage = objectMember(fields, 'storage') ?? new Map<string, unknown>()
  return {
    address: parseBytes(key, 'alloc', 20) as Address,
    balance: numberMember(fields, 'balance') ?? 0n,
    nonce: numberMember(fields, 'nonce') ?? 0n,
    code: bytesMember(fields, 'code') ?? new Uint8Array(0),
    storage: [...storage].map(([slot, word]) => ({
      slot: padLeft(parseBytes(slot, `alloc.${key}.storage`), 32) as Hash32,
      value: toWord(parseNumber(withPrefix(word), `alloc.${key}.storage`)),
    })),
  }
}

/** Adds 0x to a storage word, which is hexadecimal also without it. */
function withPrefix(word: unknown): unknown {
  return typeof word === 'string' && !/^0x/i.test(word) ? `0x${word}` : word
}

/** Parses the text of a genesis file in Besu's or geth's spelling. */
export function parseGenesisFile(text: string): GenesisFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new GenesisError({ code: 'GENESIS_NOT_JSON', reason: error instanceof Error ? error.message : String(error) })
  }
  return toGenesisFile(json)
}

/** Reads a genesis file from parsed JSON. */
export function toGenesisFile(json: unknown): GenesisFile {
  const top = toJsonObject(json, 'the file')
  const alloc = member(top, 'alloc') ?? {}
  if (typeof alloc !== 'object' || Array.isArray(alloc))
    throw new GenesisError({ code: 'GENESIS_NOT_OBJECT', at: 'alloc' })
  return {
    config: objectMember(top, 'config') ?? new Map(),
    nonce: bigIntToFixed(numberMember(top, 'nonce') ?? 0n, 8),
    timestamp: numberMember(top, 'timestamp') ?? 0n,
    extraData: bytesMember(top, 'extraData') ?? new Uint8Array(0),
    gasLimit: required(top, 'gasLimit', 'gasTarget'),
    difficulty: required(top, 'difficulty'),
    mixHash: (bytesMember(top, 'mixHash', 32) ?? zeroHash) as Hash32,
    beneficiary: (bytesMember(top, 'coinbase', 20) ?? zeroAddress) as Address,
    parentHash: (bytesMember(top, 'parentHash', 32) ?? zeroHash) as Hash32,
    baseFee: numberMember(top, 'baseFeePerGas'),
    blobGasUsed: numberMember(top, 'blobGasUsed'),
    excessBlobGas: numberMember(top, 'excessBlobGas'),
    parentBeaconRoot: bytesMember(top, 'parentBeaconBlockRoot', 32) as Hash32 | undefined,
    alloc: Object.entries(alloc).map(([key, value]) => account(key, value)),
  }
}
