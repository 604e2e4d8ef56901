import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failed } from '../../config/fault.ts'
import { durationText } from '../../config/values.ts'
import { bftGenesisExtraData } from '../../consensus/bft/extraData.ts'
import { cliqueGenesisExtraData } from '../../consensus/clique/extraData.ts'
import { ibft2Codec } from '../../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../consensus/qbft/qbftCodec.ts'
import { sortValidators } from '../../consensus/voting/tally.ts'
import { type DevFork, defaultDevFork, devAccounts, devForks, forksFromGenesis } from '../../forks/devGenesis.ts'
import { systemAccountKeys, systemAccounts } from '../../forks/systemAccounts.ts'
import { generatePrivateKey } from '../../keys/nodeKey.ts'
import { type Address, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { curve, publicKeyToAddress } from '../../primitives/secp256k1.ts'
import { makeFolder } from '../../system/makeFolder.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { bftMixHash } from '../../types/header.ts'
import { writePrivacy } from './networkPrivacy.ts'

export const networkEngines = ['qbft', 'ibft2', 'clique'] as const
export type NetworkEngine = (typeof networkEngines)[number]

/** Forks that a network can start with: its gas is free, which needs London. */
export const networkForks = devForks.slice(devForks.indexOf('london'))

/** A local network, as stored in its directory so that it can be started again. */
export interface NetworkPlan {
  readonly consensus: NetworkEngine
  /** Seconds from block to block. */
  readonly period: number
  readonly basePort: number
  /** Undefined in older networks. */
  readonly fork?: DevFork
  /** Whether the nodes have private transactions. */
  readonly privacy?: boolean
  readonly nodes: readonly { readonly address: string; readonly enode: string }[]
}

/** Options of the command; undefined keeps the value of an existing network, or the default. */
export interface LocalNetworkOptions {
  readonly validators: number | undefined
  readonly consensus: NetworkEngine | undefined
  readonly period: number | undefined
  readonly basePort: number | undefined
  readonly fork?: DevFork | undefined
  /** True enables private transactions, of an existing network too. */
  readonly privacy?: boolean | undefined
}

const planFile = 'network.json'
const noFee = '0x0'
const defaults = { validators: 4, consensus: 'qbft', period: 1, basePort: 8545, fork: defaultDevFork } as const

/** Distance between the ports of two nodes. */
const portsPerNode = 10

export function portsOf({ basePort }: Pick<NetworkPlan, 'basePort'>, node: number) {
  const http = basePort + portsPerNode * node
  // The explorer shows all nodes: only that of node 0 is used. Port 8550 is left to `quoin signer`.
  return { http, ws: http + 1, graphql: http + 2, explorer: http + 3, manager: http + 4, p2p: http + 6 }
}

export const nodeFolder = (dir: string, node: number): string => join(dir, `node${node}`)

/** Opens the network in a directory, or creates it. Throws if an existing one differs from the options. */
export function openNetworkPlan(dir: string, wanted: LocalNetworkOptions): NetworkPlan {
  const file = join(dir, planFile)
  if (!existsSync(file)) {
    if (existsSync(dir)) throw failed(`${dir} exists but has no network in it: choose another --dir`)
    return createLocalNetwork(dir, wanted)
  }
  const plan = readJson<NetworkPlan>(file)
  // Networks that were made when the fork could not be chosen.
  const formerFork = plan.consensus === 'clique' ? 'london' : 'cancun'
  const have = { ...plan, validators: plan.nodes.length, fork: plan.fork ?? formerFork }
  for (const name of ['validators', 'consensus', 'period', 'fork'] as const)
    if (wanted[name] !== undefined && wanted[name] !== have[name]) {
      const text = (value: unknown) => (name === 'period' ? durationText(Number(value)) : value)
      throw failed(
        `The network in ${dir} has ${optionOf[name]}=${text(have[name])}: choose another --dir for ${text(wanted[name])}`,
      )
    }
  nameFormerRules(join(dir, 'genesis.json'))
  const { basePort = plan.basePort } = wanted
  const moved = hasPorts(plan, basePort) ? plan : movePorts(dir, plan, basePort)
  return wanted.privacy === true && !plan.privacy ? enablePrivacy(dir, moved) : moved
}

/**
 * Until November 2026 the genesis files named neither the base fee of the first block, which was 0 (src/chain/genesis.ts), nor the system
 * contracts, which blocks called (src/chain/formerCalls.ts), and spelled a key as geth does (src/forks/unclearRules.ts).
 */
function nameFormerRules(file: string): void {
  const genesis = readJson<{ baseFeePerGas?: string; config: Readonly<Record<string, unknown>> }>(file)
  const respelled = (key: string) => (key === 'mergeNetsplitBlock' ? 'mergeNetSplitBlock' : key)
  const config: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(genesis.config).map(([key, value]) => [respelled(key), value]),
  )
  const names = config.cancunTime === undefined || config.depositContractAddress !== undefined || config.quoin
  const former = {
    ...genesis,
    baseFeePerGas: genesis.baseFeePerGas ?? noFee,
    config: names ? config : { ...config, quoin: { systemCalls: true } },
  }
  if (jsonText(former) !== jsonText(genesis)) writeFileAtomically(file, jsonText(former))
}

/** Gives an existing network private transactions. */
function enablePrivacy(dir: string, plan: NetworkPlan): NetworkPlan {
  writePrivacy(dir, foldersOf(dir, plan.nodes.length))
  const changed: NetworkPlan = { ...plan, privacy: true }
  writeFileAtomically(join(dir, planFile), jsonText(changed))
  return changed
}

const foldersOf = (dir: string, count: number): string[] => Array.from({ length: count }, (_, i) => nodeFolder(dir, i))

const optionOf = {
  validators: '--validators',
  consensus: '--consensus',
  period: '--block-period',
  fork: '--fork',
} as const

/** Whether the nodes listen for peers where those of this base port do; older networks used other ports. */
function hasPorts({ nodes, basePort: own }: NetworkPlan, basePort: number): boolean {
  return own === basePort && nodes.every(({ enode }, i) => enode.endsWith(`:${portsOf({ basePort }, i).p2p}`))
}

/** Gives an existing network other ports. */
function movePorts(dir: string, plan: NetworkPlan, basePort: number): NetworkPlan {
  const nodes = plan.nodes.map(({ address, enode }, i) => ({
    address,
    enode: enode.replace(/\d+$/, String(portsOf({ basePort }, i).p2p)),
  }))
  const moved: NetworkPlan = { ...plan, basePort, nodes }
  for (const i of nodes.keys()) writeStaticNodes(dir, moved, i)
  writeFileAtomically(join(dir, planFile), jsonText(moved))
  return moved
}

function writeStaticNodes(dir: string, { nodes }: NetworkPlan, node: number): void {
  const others = nodes.filter((_, other) => other !== node).map(({ enode }) => enode)
  writeFileAtomically(join(nodeFolder(dir, node), 'static-nodes.json'), jsonText(others))
}

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch (error) {
    throw failed(`Unable to read ${file}: ${(error as Error).message}`, error)
  }
}

/** Writes to a temporary directory and renames it, so that a failure leaves no partial network. */
function createLocalNetwork(dir: string, wanted: LocalNetworkOptions): NetworkPlan {
  const { validators, consensus, period, basePort, fork } = {
    validators: wanted.validators ?? defaults.validators,
    consensus: wanted.consensus ?? defaults.consensus,
    period: wanted.period ?? defaults.period,
    basePort: wanted.basePort ?? defaults.basePort,
    fork: wanted.fork ?? defaults.fork,
  }
  if (consensus === 'clique' && !Number.isInteger(period))
    throw failed(`Clique has whole seconds: ${durationText(period)} is for qbft and ibft2`)
  const keys = Array.from({ length: validators }, generatePrivateKey)
  const publicKeys = keys.map((key) => curve.publicKey(key))
  const addresses = publicKeys.map(publicKeyToAddress)
  const nodes = publicKeys.map((key, i) => ({
    address: toHex(addresses[i]!),
    enode: `enode://${toHex(key).slice(2)}@127.0.0.1:${portsOf({ basePort }, i).p2p}`,
  }))
  const plan: NetworkPlan = { consensus, period, basePort, fork, ...(wanted.privacy && { privacy: true }), nodes }
  const stage = `${dir}.${process.pid}.tmp`
  let staged = false
  try {
    makeFolder(stage)
    staged = true
    for (const [i, key] of keys.entries()) {
      const folder = nodeFolder(stage, i)
      makeFolder(folder, 0o700)
      writeFileSync(join(folder, 'key'), toHex(key), { mode: 0o600 })
      writeStaticNodes(stage, plan, i)
    }
    if (wanted.privacy) writePrivacy(stage, foldersOf(stage, validators))
    writeFileSync(join(stage, 'genesis.json'), jsonText(genesisOf(consensus, period, addresses, fork)))
    writeFileSync(join(stage, planFile), jsonText(plan))
    renameSync(stage, dir)
  } catch (error) {
    if (staged) rmSync(stage, { recursive: true, force: true })
    throw failed(`Unable to write ${dir}: ${(error as Error).message}`, error)
  }
  return plan
}

const jsonText = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** Genesis file with free gas and the funded accounts of the DEV network. */
function genesisOf(consensus: NetworkEngine, period: number, validators: readonly Address[], fork: DevFork): object {
  const bft = {
    blockperiodseconds: Math.ceil(period),
    ...(!Number.isInteger(period) && { xblockperiodmilliseconds: Math.round(period * 1000) }),
    epochlength: 30_000,
    requesttimeoutseconds: Math.ceil(2 * period),
  }
  const engines = {
    qbft: { config: { qbft: bft }, extraData: bftGenesisExtraData(qbftCodec, sortValidators(validators)) },
    ibft2: {
      config: { ibft2: bft },
      extraData: bftGenesisExtraData(ibft2Codec, sortValidators(validators)),
    },
    // geth reads the second spelling of both keys; it supports Clique only up to London.
    clique: {
      config: { clique: { blockperiodseconds: period, epochlength: 30_000, period, epoch: 30_000 } },
      extraData: cliqueGenesisExtraData(sortValidators(validators)),
    },
  }
  const { config, extraData } = engines[consensus]
  return {
    config: {
      chainId: 1337,
      berlinBlock: 0,
      ...forksFromGenesis(fork),
      ...systemAccountKeys(fork),
      zeroBaseFee: true,
      ...config,
    },
    nonce: '0x0',
    timestamp: '0x0',
    gasLimit: '0x1fffffffffffff',
    difficulty: '0x1',
    baseFeePerGas: noFee,
    mixHash: toHex(consensus === 'clique' ? zeroHash : bftMixHash),
    coinbase: toHex(zeroAddress),
    alloc: {
      ...systemAccounts(fork),
      ...Object.fromEntries(devAccounts.map(({ address, balance }) => [address, { balance }])),
    },
    extraData: toHex(extraData),
  }
}
