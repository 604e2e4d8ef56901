import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failed } from '../../config/fault.ts'
import { bftMixHash } from '../../consensus/bft/bftEngine.ts'
import { bftGenesisExtraData } from '../../consensus/bft/extraData.ts'
import { cliqueGenesisExtraData } from '../../consensus/clique/extraData.ts'
import { ibft2Codec } from '../../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../consensus/qbft/qbftCodec.ts'
import { sortValidators } from '../../consensus/voting/tally.ts'
import { devAccounts } from '../../forks/devGenesis.ts'
import { generatePrivateKey } from '../../node/nodeKey.ts'
import { type Address, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve, publicKeyToAddress } from '../../primitives/secp256k1.ts'

export const networkEngines = ['qbft', 'ibft2', 'clique'] as const
export type NetworkEngine = (typeof networkEngines)[number]

/** What a local consortium is made of; kept in its folder, so that it can be started again. */
export interface NetworkPlan {
  readonly consensus: NetworkEngine
  readonly period: number
  readonly basePort: number
  readonly nodes: readonly { readonly address: string; readonly enode: string }[]
}

/** What a person may ask for; undefined leaves it to the plan that exists, or to the default. */
export interface NetworkWish {
  readonly validators: number | undefined
  readonly consensus: NetworkEngine | undefined
  readonly period: number | undefined
  readonly basePort: number | undefined
}

const planFile = 'network.json'
const defaults = { validators: 4, consensus: 'qbft', period: 1, basePort: 8545 } as const

/** Ports of a node: so many apart that the nodes of a network lie side by side. */
const portsPerNode = 10

export function portsOf({ basePort }: Pick<NetworkPlan, 'basePort'>, node: number) {
  const http = basePort + portsPerNode * node
  return { http, ws: http + 1, graphql: http + 2, p2p: http + 3 }
}

export const nodeFolder = (dir: string, node: number): string => join(dir, `node${node}`)

/** The network in the folder; made when there is none. A wish that the network there does not fulfil is refused. */
export function openNetworkPlan(dir: string, wish: NetworkWish): NetworkPlan {
  const file = join(dir, planFile)
  if (!existsSync(file)) {
    if (existsSync(dir)) throw failed(`${dir} exists and holds no network: choose another --dir`)
    return createNetwork(dir, wish)
  }
  const plan = readPlan(file)
  const have = { ...plan, validators: plan.nodes.length }
  for (const name of ['validators', 'consensus', 'period', 'basePort'] as const)
    if (wish[name] !== undefined && wish[name] !== have[name])
      throw failed(`the network in ${dir} has ${optionOf[name]}=${have[name]}: choose another --dir for ${wish[name]}`)
  return plan
}

const optionOf = {
  validators: '--validators',
  consensus: '--consensus',
  period: '--period',
  basePort: '--base-port',
} as const

function readPlan(file: string): NetworkPlan {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as NetworkPlan
  } catch (error) {
    throw failed(`${file} cannot be read: ${(error as Error).message}`, error)
  }
}

/** Writes the folder under another name first, so that a failure leaves no half of a network. */
function createNetwork(dir: string, wish: NetworkWish): NetworkPlan {
  const { validators, consensus, period, basePort } = {
    validators: wish.validators ?? defaults.validators,
    consensus: wish.consensus ?? defaults.consensus,
    period: wish.period ?? defaults.period,
    basePort: wish.basePort ?? defaults.basePort,
  }
  const keys = Array.from({ length: validators }, generatePrivateKey)
  const publicKeys = keys.map((key) => curve.publicKey(key))
  const addresses = publicKeys.map(publicKeyToAddress)
  const nodes = publicKeys.map((key, i) => ({
    address: toHex(addresses[i]!),
    enode: `enode://${toHex(key).slice(2)}@127.0.0.1:${portsOf({ basePort }, i).p2p}`,
  }))
  const plan: NetworkPlan = { consensus, period, basePort, nodes }
  const stage = `${dir}.${process.pid}.tmp`
  let staged = false
  try {
    mkdirSync(stage, { recursive: true })
    staged = true
    for (const [i, key] of keys.entries()) {
      const folder = nodeFolder(stage, i)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'key'), toHex(key), { mode: 0o600 })
      const others = nodes.filter((_, other) => other !== i).map(({ enode }) => enode)
      writeFileSync(join(folder, 'static-nodes.json'), jsonText(others))
    }
    writeFileSync(join(stage, 'genesis.json'), jsonText(genesisOf(consensus, period, addresses)))
    writeFileSync(join(stage, planFile), jsonText(plan))
    renameSync(stage, dir)
  } catch (error) {
    if (staged) rmSync(stage, { recursive: true, force: true })
    throw failed(`Unable to write ${dir}: ${(error as Error).message}`, error)
  }
  return plan
}

const jsonText = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** Gas is free, and the accounts of the development network are funded. */
function genesisOf(consensus: NetworkEngine, period: number, validators: readonly Address[]): object {
  const bft = { blockperiodseconds: period, epochlength: 30_000, requesttimeoutseconds: 2 * period }
  const cancun = { shanghaiTime: 0, cancunTime: 0 }
  const engines = {
    qbft: { config: { ...cancun, qbft: bft }, extraData: bftGenesisExtraData(qbftCodec, sortValidators(validators)) },
    ibft2: {
      config: { ...cancun, ibft2: bft },
      extraData: bftGenesisExtraData(ibft2Codec, sortValidators(validators)),
    },
    // geth reads the second spelling of the two keys, and knows Clique up to London only.
    clique: {
      config: { clique: { blockperiodseconds: period, epochlength: 30_000, period, epoch: 30_000 } },
      extraData: cliqueGenesisExtraData(sortValidators(validators)),
    },
  }
  const { config, extraData } = engines[consensus]
  return {
    config: { chainId: 1337, berlinBlock: 0, londonBlock: 0, zeroBaseFee: true, ...config },
    nonce: '0x0',
    timestamp: '0x0',
    gasLimit: '0x1fffffffffffff',
    difficulty: '0x1',
    mixHash: toHex(consensus === 'clique' ? zeroHash : bftMixHash),
    coinbase: toHex(zeroAddress),
    alloc: Object.fromEntries(devAccounts.map(({ address, balance }) => [address, { balance }])),
    extraData: toHex(extraData),
  }
}
