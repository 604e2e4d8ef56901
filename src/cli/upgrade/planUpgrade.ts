import { failed } from '../../config/fault.ts'
import { type ChainSpec, createChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { timeText } from '../../forks/forkWarnings.ts'
import { parseGenesisFile } from '../../forks/genesisFile.ts'
import { member, objectMember } from '../../forks/jsonObject.ts'
import { makerCost, makerOf, systemAccountKeys } from '../../forks/systemAccounts.ts'
import { namesSystemContracts, requestContractsOf, type SystemContracts } from '../../forks/systemContracts.ts'
import { type ForkName, forkIndex, forks } from '../../forks/table.ts'
import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { encodeTx } from '../../types/encodeTx.ts'
import { senderOf } from '../../types/signTx.ts'
import { effectsOf } from './forkEffects.ts'
import { type GenesisChange, withChanges } from './genesisChanges.ts'

/** Forks that a plan can lead to. */
export const upgradeTargets = ['prague', 'osaka'] as const
export type UpgradeTarget = (typeof upgradeTargets)[number]

export interface UpgradeWish {
  /** The genesis file as it is. */
  readonly text: string
  readonly to: UpgradeTarget
  /** When the fork begins, in seconds since 1970; undefined: in a week. */
  readonly at: bigint | undefined
  readonly now: bigint
  /** The oldest Besu in the network, as 26.1 is 2601; undefined: all nodes are Quoin. */
  readonly oldestBesu: number | undefined
  /** Maximum gas limit of transactions from the fork on, as `pertxgaslimit`; 0: that of a block. */
  readonly txGasLimit: bigint | undefined
  /** Whether there is a contract, in the genesis file or at the head of the chain. */
  readonly hasCode: (address: Address) => boolean
}

export interface UpgradePlan {
  /** The genesis file as it is to be. */
  readonly text: string
  readonly changes: readonly GenesisChange[]
  /** What is missing now, and what becomes of it. */
  readonly missing: readonly string[]
  /** What changes for users. */
  readonly effects: readonly string[]
  /** What operators do, in order. */
  readonly steps: readonly string[]
}

const day = 86_400n
const hour = 3600n
/** Every node has to be started with the new file before. */
const minNotice = 600n
/** Past every fork by block. */
const maxNumber = (1n << 63n) - 1n
/** Besu makes no system calls without addresses from here on. */
const besuWithoutCalls = 2601
/** Besu knows `pertxgaslimit` from here on. */
const besuWithTxGasLimit = 2608

const meanings: Readonly<Record<keyof SystemContracts, string>> = {
  beaconRoots:
    'EIP-4788, which tells contracts the root of the beacon chain: always zero on a private chain, needed by nobody',
  history: 'EIP-2935, which tells contracts the hashes of the last 8,191 blocks',
  withdrawalRequests:
    'EIP-7002, requests to exit as a validator of the public network: needed by nobody, but without it no block is valid where blocks call it',
  consolidationRequests: 'EIP-7251, requests to merge validators of the public network: as EIP-7002',
}

function keyOfFork(fork: ForkName): string {
  return forks[forkIndex(fork)]!.key
}

function timeOf({ activations }: ChainSpec, fork: ForkName): bigint | undefined {
  return activations.find((one) => one.fork === fork)?.at
}

/** When forks begin that the file does not name yet. */
function forkTimes(spec: ChainSpec, { to, now }: UpgradeWish, at: bigint, pragueLater: boolean): [ForkName, bigint][] {
  const wanted = forks.slice(forkIndex('shanghai'), forkIndex(to) + 1).map(({ name }) => name)
  if (timeOf(spec, to) !== undefined)
    throw failed(
      `${keyOfFork(to)} is in the genesis file: ${timeText(timeOf(spec, to)!)}. To move it, take it out of the file first`,
    )
  if (!spec.activations.some(({ fork, by }) => by === 'block' && forkIndex(fork) >= forkIndex('london')))
    throw failed('the network has to be at London first: add "londonBlock" with a block that is still to come')
  if (at < now + minNotice)
    throw failed(`${timeText(at)} is too early: all nodes have to be started with the new file before`)
  const later = at + (pragueLater ? day : 0n)
  const found = wanted
    .filter((fork) => timeOf(spec, fork) === undefined)
    .map((fork): [ForkName, bigint] => [fork, forkIndex(fork) >= forkIndex('prague') ? later : at])
  const last = Math.max(...wanted.map((fork) => Number(timeOf(spec, fork) ?? 0n)))
  if (BigInt(last) > at) throw failed(`${timeText(at)} is before a fork that the file names: ${timeText(BigInt(last))}`)
  return found
}

/** What the network does about system contracts. */
type Way = 'present' | 'placed' | 'made' | 'none'

/** Whether blocks of now leave the contract of EIP-4788 alone, though it is there: a file that named contracts would change that at once. */
function leavesBeaconRoots(spec: ChainSpec, { now, hasCode }: UpgradeWish): boolean {
  const { beaconRoot, systemContracts } = spec.rulesAt({ number: maxNumber, timestamp: now })
  return beaconRoot && !systemContracts && hasCode(requestContractsOf(spec.genesis).beaconRoots)
}

function wayOf(spec: ChainSpec, wish: UpgradeWish, missing: readonly string[]): Way {
  const { genesis } = spec
  const { oldestBesu } = wish
  if (leavesBeaconRoots(spec, wish)) return 'none'
  const isNew = oldestBesu !== undefined && oldestBesu >= besuWithoutCalls
  if (isNew && !namesSystemContracts(genesis)) return 'none'
  if (missing.length === 0) return 'present'
  return oldestBesu === undefined ? 'placed' : 'made'
}

function missingIn(spec: ChainSpec, { hasCode }: UpgradeWish): (keyof SystemContracts)[] {
  const contracts = requestContractsOf(spec.genesis)
  return (Object.keys(contracts) as (keyof SystemContracts)[]).filter((name) => !hasCode(contracts[name]))
}

function changesFor(
  spec: ChainSpec,
  wish: UpgradeWish,
  way: Way,
  times: readonly [ForkName, bigint][],
): GenesisChange[] {
  const { config } = spec.genesis
  const changes: GenesisChange[] = times.map(([fork, time]) => ({ path: ['config', keyOfFork(fork)], value: time }))
  if (way === 'placed') changes.push({ path: ['config', 'quoin', 'placeSystemContracts'], value: true })
  if (way === 'present' || way === 'made')
    for (const [key, value] of Object.entries(systemAccountKeys('prague')))
      if (member(config, key) === undefined) changes.push({ path: ['config', key], value })
  if (way === 'none') changes.push({ path: ['config', 'quoin', 'systemCalls'], value: false })
  return [...changes, ...txGasLimitChanges(spec, wish, times.at(-1)![1])]
}

/** A limit holds under any fork: so that earlier blocks stay valid, it begins with the last fork. None is true of them, too. */
function txGasLimitChanges(
  { genesis: { config } }: ChainSpec,
  { txGasLimit }: UpgradeWish,
  at: bigint,
): GenesisChange[] {
  if (txGasLimit === undefined) return []
  const kinds = ['ibft2', 'qbft'].filter((kind) => objectMember(config, kind))
  return kinds.map((kind) =>
    txGasLimit === 0n
      ? { path: ['config', kind, 'pertxgaslimit'], value: txGasLimit }
      : { path: ['config', 'transitions', kind], value: { entry: { block: at, pertxgaslimit: txGasLimit } } },
  )
}

function missingLines(missing: readonly (keyof SystemContracts)[], way: Way): string[] {
  const becomes: Record<Way, string> = {
    present: '',
    placed: 'the first block that calls it places it ("quoin": {"placeSystemContracts": true})',
    made: 'a transaction makes it before (below)',
    none: 'blocks call nothing from Prague on, as with Besu since 26.1',
  }
  return missing.map((name) => `${meanings[name]} → ${becomes[way]}`)
}

function makeSteps(
  spec: ChainSpec,
  missing: readonly (keyof SystemContracts)[],
  from: bigint,
  until: bigint,
): string[] {
  const contracts = requestContractsOf(spec.genesis)
  return missing.map((name) => {
    const tx = makerOf(name)
    return (
      `Between ${timeText(from)} and ${timeText(until)}, send ${makerCost} wei to ${toHex(senderOf(tx)!)}, wait for the block, and send this ` +
      `transaction with eth_sendRawTransaction; eth_getCode of ${toHex(contracts[name])} shows that it worked:\n${toHex(encodeTx(tx))}`
    )
  })
}

function stepsFor(
  spec: ChainSpec,
  wish: UpgradeWish,
  way: Way,
  missing: readonly (keyof SystemContracts)[],
  times: readonly [ForkName, bigint][],
): string[] {
  const [[, first], [last, end]] = [times[0]!, times.at(-1)!]
  const prague = times.find(([fork]) => fork === 'prague')?.[1] ?? end
  const besu = wish.oldestBesu !== undefined
  return [
    'Back up one node, and try the new file on a copy of it: quoin … doctor says what is wrong.',
    `Put the new file on every node in place of the old one${besu ? ', those of Besu too: it ignores the section "quoin"' : ''}. The genesis block stays the same.`,
    `Restart the nodes one by one before ${timeText(first)}, validators only when the one before makes blocks again. eth_config shows the fork as "next" on each.`,
    ...(way === 'made' ? makeSteps(spec, missing, first, prague) : []),
    `From a week before, every start and quoin doctor say what would stop the network. Nothing more happens at ${timeText(end)}; eth_config shows ${last} as "current".`,
    'A node that was forgotten refuses the first block of the new rules, and follows again when it has the new file. Where a quorum of validators lacks it, the ' +
      'network waits: neither side makes a block, and none is lost.',
  ]
}

/** Plans how a network gets to a fork; throws if it cannot. */
export function planUpgrade(wish: UpgradeWish): UpgradePlan {
  const spec = createChainSpec(parseGenesisFile(wish.text))
  const { kind } = spec.consensus
  if (kind === 'none' || kind === 'ethash')
    throw failed('only networks of Clique, IBFT 2.0 and QBFT can be upgraded by a plan')
  if (wish.txGasLimit !== undefined && wish.oldestBesu !== undefined && wish.oldestBesu < besuWithTxGasLimit)
    throw failed(
      '--tx-gas-limit: Besu before 26.8 does not know pertxgaslimit, and would leave the chain at a transaction above its limit',
    )
  if (spec.fixedBaseFee && wish.oldestBesu !== undefined)
    throw failed(
      'fixedBaseFee: nodes of Besu take no block under prague with it, as headers of their validators lack fields',
    )
  const missing = missingIn(spec, wish)
  const way = wayOf(spec, wish, missing)
  const at = wish.at ?? ((wish.now + 7n * day) / hour + 1n) * hour
  const times = forkTimes(spec, wish, at, way === 'made')
  if (way === 'made' && timeOf(spec, 'prague') !== undefined)
    throw failed(
      'prague is in the genesis file, and its contracts are missing: a network with such a Besu stops there. Take it out of the file first',
    )
  const changes = changesFor(spec, wish, way, times)
  const text = withChanges(wish.text, changes)
  // What the file says now is what nodes will read.
  createChainSpec(parseGenesisFile(text))
  const bft: readonly BftConfig[] = kind === 'clique' ? [] : [spec.consensus as BftConfig]
  return {
    text,
    changes,
    missing: missingLines(missing, way),
    effects: effectsOf(
      spec,
      times.map(([fork]) => fork),
      wish.txGasLimit !== undefined || bft.some((one) => one.perTxGasLimit !== undefined),
    ),
    steps: stepsFor(spec, wish, way, missing, times),
  }
}
