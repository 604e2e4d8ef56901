import { type Address, equalBytes, type Hash32, keyOf, trimZeros, zeroAddress, zeroHash } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { bigIntToFixed, toWord } from '../primitives/u256.ts'
import { GenesisError } from './fault.ts'
import {
  bytesMember,
  fixedMember,
  type GenesisObject,
  hexNumberMember,
  longMember,
  member,
  objectMember,
  parseBytes,
  parseFixed,
  parseHexNumber,
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
  readonly config: GenesisObject
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
  /** Whether Besu since 26.1 takes the file for one of geth's, and the network for one of ethash. */
  readonly isGethToBesu: boolean
}

function required<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new GenesisError({ code: 'GENESIS_MISSING', key })
  return value
}

/** Returns the accounts of an allocation, each once. */
function accountsOf(alloc: GenesisObject): GenesisAccount[] {
  const accounts = new Map<string, GenesisAccount>()
  for (const [key, value] of alloc) {
    const one = account(key, value)
    const id = keyOf(one.address)
    const earlier = accounts.get(id)
    accounts.set(id, earlier ? unite(earlier, one) : one)
  }
  return [...accounts.values()]
}

/** An account with and without 0x: as in Besu, the later entry counts, and slots of the earlier one stay. */
function unite(earlier: GenesisAccount, later: GenesisAccount): GenesisAccount {
  const slots = new Map([...earlier.storage, ...later.storage].map((one) => [keyOf(one.slot), one]))
  return { ...later, storage: [...slots.values()] }
}

function account(key: string, value: unknown): GenesisAccount {
  const at = `alloc.${key}`
  const fields = toJsonObject(value, at)
  const read = <T>(name: string, parse: (value: unknown, key: string) => T): T | undefined => {
    const given = member(fields, name)
    return given === undefined ? undefined : parse(given, `${at}.${name}`)
  }
  return {
    address: parseFixed(key, 'alloc', 20) as Address,
    balance: read('balance', parseNumber) ?? 0n,
    nonce: read('nonce', (nonce, name) => parseHexNumber(nonce, name, 64)) ?? 0n,
    code: read('code', parseBytes) ?? new Uint8Array(0),
    storage: read('storage', storageOf) ?? [],
  }
}

function storageOf(value: unknown, at: string): GenesisAccount['storage'] {
  const slots = new Map<string, GenesisAccount['storage'][number]>()
  for (const [text, word] of toJsonObject(value, at)) {
    const slot = parseFixed(text, at, 32) as Hash32
    const one = { slot, value: toWord(parseHexNumber(word, `${at}.${text}`, 256)) }
    const earlier = slots.get(keyOf(slot))
    // Which of them Besu takes depends on the hashes of their texts.
    if (earlier && !equalBytes(earlier.value, one.value))
      throw new GenesisError({ code: 'GENESIS_TWICE', key: at, have: toHex(trimZeros(slot)) })
    slots.set(keyOf(slot), one)
  }
  return [...slots.values()]
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

/** The text of a valid genesis file without its accounts, for those who need its rules only: there may be a million of them. */
export function withoutAccounts(text: string): string {
  const members = Object.entries(JSON.parse(text) as object)
  return JSON.stringify(Object.fromEntries(members.filter(([key]) => key.toLowerCase() !== 'alloc')))
}

/** Reads a genesis file from parsed JSON. */
export function toGenesisFile(json: unknown): GenesisFile {
  const top = toJsonObject(json, 'the file')
  return {
    config: objectMember(top, 'config') ?? new Map(),
    nonce: bigIntToFixed(hexNumberMember(top, 'nonce', 64) ?? 0n, 8),
    timestamp: longMember(top, 'timestamp') ?? 0n,
    extraData: bytesMember(top, 'extraData') ?? new Uint8Array(0),
    gasLimit: required(longMember(top, 'gasLimit') ?? longMember(top, 'gasTarget'), 'gasLimit'),
    difficulty: required(hexNumberMember(top, 'difficulty', 256), 'difficulty'),
    mixHash: (fixedMember(top, 'mixHash', 32) ?? zeroHash) as Hash32,
    beneficiary: (fixedMember(top, 'coinbase', 20) ?? zeroAddress) as Address,
    parentHash: (fixedMember(top, 'parentHash', 32) ?? zeroHash) as Hash32,
    baseFee: longMember(top, 'baseFeePerGas'),
    blobGasUsed: hexNumberMember(top, 'blobGasUsed', 64),
    excessBlobGas: hexNumberMember(top, 'excessBlobGas', 64),
    parentBeaconRoot: bytesMember(top, 'parentBeaconBlockRoot', 32) as Hash32 | undefined,
    alloc: accountsOf(objectMember(top, 'alloc') ?? new Map()),
    isGethToBesu: isGethToBesu(json),
  }
}

/** What Besu asks, whose keys have upper and lower case here. */
function isGethToBesu(json: unknown): boolean {
  const { config } = json as { config?: unknown }
  if (typeof config !== 'object' || config === null) return false
  return Object.hasOwn(config, 'mergeNetsplitBlock') && !Object.hasOwn(config, 'ethash')
}

/** The bootnodes that the file names (`discovery.bootnodes`), as they are written there. */
export function bootnodesOf({ config }: GenesisFile): readonly string[] {
  const discovery = objectMember(config, 'discovery')
  const named = discovery && member(discovery, 'bootnodes')
  if (named === undefined) return []
  if (Array.isArray(named) && named.every((one) => typeof one === 'string')) return named
  const [key, have] = ['discovery.bootnodes', JSON.stringify(named)]
  throw new GenesisError({ code: 'GENESIS_INVALID_VALUE', key, have, want: 'a list of enode URLs or ENRs' })
}
