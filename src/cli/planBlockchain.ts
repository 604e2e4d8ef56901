import { failed } from '../config/fault.ts'
import { bftGenesisExtraData } from '../consensus/bft/extraData.ts'
import { cliqueGenesisExtraData } from '../consensus/clique/extraData.ts'
import { ibft2Codec } from '../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../consensus/qbft/qbftCodec.ts'
import { sortValidators } from '../consensus/voting/tally.ts'
import type { Address } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { publicKeyToAddress } from '../primitives/secp256k1.ts'
import {
  isJsonObject,
  isNumeral,
  type Json,
  type JsonObject,
  jsonType,
  numeralText,
  parseExactJson,
} from './exactJson.ts'
import { type NodeCurve, nodeCurves } from './nodeCurve.ts'
import { refuseDuplicates } from './validatorAddresses.ts'

export interface NodeKeys {
  readonly address: Address
  readonly publicKey: Uint8Array
  /** Only of generated nodes. */
  readonly privateKey?: Uint8Array
}

export interface BlockchainConfig {
  /** The genesis object as given, with its extraData. */
  readonly genesis: JsonObject
  readonly nodes: readonly NodeKeys[]
}

/** More keys than any network has validators; a slip in the count must not fill the disk. */
const maxCount = 10_000

/** From the text of a generate-blockchain-config file to the keys and genesis that it asks for. */
export function planBlockchain(text: string): BlockchainConfig {
  const file = parse(text)
  const genesis = section(file, 'genesis') ?? {}
  const config = section(genesis, 'config')
  if (!config) throw failed('Missing config section in config file')
  const nodes = makeNodes(section(section(file, 'blockchain') ?? {}, 'nodes') ?? {}, config)
  const validators = nodes.map(({ address }) => address)
  refuseDuplicates(validators)
  return { genesis: withExtraData(genesis, config, validators), nodes }
}

function parse(text: string): JsonObject {
  let json: Json
  try {
    json = parseExactJson(text)
  } catch (error) {
    throw failed(`The config file is not JSON: ${(error as Error).message}`, error)
  }
  if (!isJsonObject(json)) throw failed('The config file must hold a JSON object')
  return json
}

function section(parent: JsonObject, name: string): JsonObject | undefined {
  const value = member(parent, name)
  if (value === undefined || isJsonObject(value)) return value
  throw failed(`'${name}' in the config file must be an object but was ${jsonType(value)}`)
}

// Besu reads genesis files without regard to upper and lower case.
function keyLike(parent: JsonObject, name: string): string | undefined {
  return Object.keys(parent).find((key) => key.toLowerCase() === name.toLowerCase())
}

function member(parent: JsonObject, name: string): Json | undefined {
  const key = keyLike(parent, name)
  return key === undefined ? undefined : parent[key]
}

function makeNodes(nodes: JsonObject, config: JsonObject): NodeKeys[] {
  const curveName = member(config, 'ecCurve') ?? 'secp256k1'
  const curve =
    typeof curveName === 'string' && Object.hasOwn(nodeCurves, curveName) ? nodeCurves[curveName] : undefined
  if (!curve)
    throw failed(
      `Invalid parameter for ecCurve in genesis config: ${formatName(curveName)} is not one of secp256k1, secp256r1`,
    )
  const generate = member(nodes, 'generate') ?? false
  if (typeof generate !== 'boolean') throw failed(`'generate' must be true or false but was ${jsonType(generate)}`)
  if (generate) return Array.from({ length: countOf(nodes) }, () => generated(curve))
  const keys = member(nodes, 'keys') ?? []
  if (!Array.isArray(keys)) throw failed(`'keys' must be an array but was ${jsonType(keys)}`)
  return (keys as readonly Json[]).map((key) => imported(key, curve, String(curveName)))
}

function formatName(value: Json): string {
  return typeof value === 'string' ? `'${value.replace('\0', '')}'` : jsonType(value)
}

function countOf(nodes: JsonObject): number {
  const count = member(nodes, 'count')
  const n = isNumeral(count) && /^\d+$/.test(numeralText(count)) ? Number(numeralText(count)) : 0
  if (n < 1 || n > maxCount)
    throw failed(`'count' must be a whole number from 1 to ${maxCount}${count === undefined ? ', and is missing' : ''}`)
  return n
}

function generated(curve: NodeCurve): NodeKeys {
  const privateKey = curve.generatePrivateKey()
  const publicKey = curve.publicKey(privateKey)
  return { address: publicKeyToAddress(publicKey), publicKey, privateKey }
}

function imported(key: Json, curve: NodeCurve, curveName: string): NodeKeys {
  if (typeof key !== 'string' || isNumeral(key)) throw failed(`Invalid key json of type: ${jsonType(key)}`)
  let publicKey: Uint8Array
  try {
    publicKey = fromHex(key)
  } catch (error) {
    throw failed(`Public key '${key}' is not hexadecimal`, error)
  }
  if (publicKey.length !== 64) throw failed(`Encoding must be 64 bytes long, got ${publicKey.length}`)
  if (!curve.isPublicKey(publicKey))
    throw failed(`${toHex(publicKey)} is not a valid public key for elliptic curve ${curveName}`)
  return { address: publicKeyToAddress(publicKey), publicKey }
}

function withExtraData(genesis: JsonObject, config: JsonObject, validators: readonly Address[]): JsonObject {
  const key = keyLike(genesis, 'extraData')
  const extraData = extraDataOf(config, validators, key !== undefined)
  return extraData ? { ...genesis, [key ?? 'extraData']: toHex(extraData) } : genesis
}

function extraDataOf(config: JsonObject, validators: readonly Address[], present: boolean): Uint8Array | undefined {
  if (member(config, 'ibft2') !== undefined) return bftGenesisExtraData(ibft2Codec, validators)
  if (member(config, 'qbft') !== undefined) return bftGenesisExtraData(qbftCodec, validators)
  // Besu leaves Clique's extra data alone; so do we where it is written already.
  if (member(config, 'clique') === undefined || present || validators.length === 0) return undefined
  return cliqueGenesisExtraData(sortValidators(validators))
}
