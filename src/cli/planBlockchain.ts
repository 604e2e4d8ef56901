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
  type ExactJsonObject,
  isJsonObject,
  isNumeral,
  type Json,
  jsonType,
  numeralText,
  parseExactJson,
} from './exactJson.ts'
import { type NodeCurve, nodeCurves } from './nodeCurve.ts'
import { refuseDuplicates } from './validatorAddresses.ts'

export interface NodeKeys {
  readonly address: Address
  readonly publicKey: Uint8Array
  /** Only for generated keys. */
  readonly privateKey?: Uint8Array
}

export interface BlockchainConfig {
  /** The given genesis object, with extraData. */
  readonly genesis: ExactJsonObject
  readonly nodes: readonly NodeKeys[]
}

/** Maximum number of keys, so that a typo does not fill the disk. */
const maxCount = 10_000

/** Creates keys and genesis from the text of a generate-blockchain-config file. */
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

function parse(text: string): ExactJsonObject {
  let json: Json
  try {
    json = parseExactJson(text)
  } catch (error) {
    throw failed(`The config file is not JSON: ${(error as Error).message}`, error)
  }
  if (!isJsonObject(json)) throw failed('The config file must contain a JSON object')
  return json
}

function section(parent: ExactJsonObject, name: string): ExactJsonObject | undefined {
  const value = member(parent, name)
  if (value === undefined || isJsonObject(value)) return value
  throw failed(`'${name}' in the config file must be an object but was ${jsonType(value)}`)
}

// Besu ignores case in genesis files.
function keyLike(parent: ExactJsonObject, name: string): string | undefined {
  return Object.keys(parent).find((key) => key.toLowerCase() === name.toLowerCase())
}

function member(parent: ExactJsonObject, name: string): Json | undefined {
  const key = keyLike(parent, name)
  return key === undefined ? undefined : parent[key]
}

function makeNodes(nodes: ExactJsonObject, config: ExactJsonObject): NodeKeys[] {
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

function countOf(nodes: ExactJsonObject): number {
  const count = member(nodes, 'count')
  const n = isNumeral(count) && /^\d+$/.test(numeralText(count)) ? Number(numeralText(count)) : 0
  if (n < 1 || n > maxCount)
    throw failed(`'count' must be an integer from 1 to ${maxCount}${count === undefined ? ' but is missing' : ''}`)
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

function withExtraData(
  genesis: ExactJsonObject,
  config: ExactJsonObject,
  validators: readonly Address[],
): ExactJsonObject {
  const key = keyLike(genesis, 'extraData')
  const extraData = extraDataOf(config, validators, key !== undefined)
  return extraData ? { ...genesis, [key ?? 'extraData']: toHex(extraData) } : genesis
}

function extraDataOf(
  config: ExactJsonObject,
  validators: readonly Address[],
  present: boolean,
): Uint8Array | undefined {
  if (member(config, 'ibft2') !== undefined) return bftGenesisExtraData(ibft2Codec, validators)
  if (member(config, 'qbft') !== undefined) return bftGenesisExtraData(qbftCodec, validators)
  // Besu does not write Clique's extra data; Quoin does unless it is present.
  if (member(config, 'clique') === undefined || present || validators.length === 0) return undefined
  return cliqueGenesisExtraData(sortValidators(validators))
}
