import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { publicSystemContracts } from '../../src/forks/systemContracts.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { bftGenesis } from '../support/authorityChain.ts'
import { createBesuProcess } from './besuProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { whyNoVersion } from './peerProgram.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, eventually, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { underTransferLoad } from './transferLoad.ts'
import { contracts, hastened, makeContracts, planOf } from './upgradePlan.ts'
import { withoutPlan } from './withoutPlan.ts'

/** The Besu of today, or the one that the environment names. */
const version = process.env.BESU_PEER_VERSION ?? '26.8.0'

/** Seconds from block to block, and how many of these may pass without a block at the forks. */
const period = 2
const maxPeriods = 3
/** Blocks after each step. */
const stretch = 4
/** Seconds that a node takes at least from its stop until the network goes on with it. */
const restartTime = { quoin: 30, besu: 60 }
/** Seconds between forks: contracts are made before Prague. */
const between = { none: 10, made: 90 }
/** Gas that a transaction may no longer have in Osaka. */
const tooMuchGas = 16_777_217n

/** A network, and what its plan says about system contracts. */
interface Case {
  readonly name: string
  /** How many of the four validators are Besu. */
  readonly besus: number
  /** What the plan is told of Besu. */
  readonly oldestBesu?: string
  /** What becomes of the contracts. */
  readonly way: 'placed' | 'made' | 'none'
}

const cases: readonly Case[] = [
  { name: 'four of Quoin, whose blocks place the contracts', besus: 0, way: 'placed' },
  { name: 'two of Quoin, two of Besu, contracts made by transactions', besus: 2, oldestBesu: '25.12', way: 'made' },
  { name: 'two of Quoin, two of Besu, blocks that call nothing', besus: 2, oldestBesu: '26.8', way: 'none' },
]

/** A validator with a genesis file of its own, as operators have it. */
interface Validator {
  readonly seat: Seat
  readonly node: NodeProcess
  readonly genesisFile: string
  readonly isBesu: boolean
}

interface Block {
  readonly number: string
  readonly timestamp: string
  readonly hash: string
  readonly parentHash: string
  readonly requestsHash?: string
}

const blockAt = (node: RpcNode, block: string) => node.call<Block>('eth_getBlockByNumber', block, false)
const timeOfHead = async (node: RpcNode) => Number((await blockAt(node, 'latest')).timestamp)
const now = () => Math.floor(Date.now() / 1000)

/** What a block of Prague says that asks for nothing (EIP-7685): the hash of nothing. */
const noRequests = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function londonGenesis(seats: readonly Seat[]): object {
  const validators = seats.map(({ key, address }) => ({ key: fromHex(key), address: hexToAddress(address) }))
  const terms = { blockperiodseconds: period, requesttimeoutseconds: 2 * period }
  const alloc = Object.fromEntries(devAccounts.map(({ address }) => [address, { balance: '0xd3c21bcecceda1000000' }]))
  const config = { chainId: 1337, londonBlock: 0, zeroBaseFee: true, qbft: terms }
  return { ...bftGenesis(qbftCodec, validators, config, alloc), baseFeePerGas: '0x0', gasLimit: '0x1c9c380' }
}

function createValidators({ besus }: Case, terms: InteropTerms, seats: readonly Seat[]): Validator[] {
  return seats.map((seat, i) => {
    const genesisFile = join(seat.folder, 'genesis.json')
    const isBesu = i < besus
    const node = isBesu
      ? createBesuProcess({ seat, peersDir: terms.peersDir, genesisFile, version, apis: 'ADMIN,ETH,NET,WEB3' })
      : createQuoinProcess({ ...seat, genesisFile })
    return { seat, node, genesisFile, isBesu }
  })
}

/** Takes one node after the other: stops it, gives it the new file, and waits until the network goes on with it. */
async function restartAll(validators: readonly Validator[], text: string, away: Set<RpcNode>): Promise<void> {
  const nodes = validators.map(({ node }) => node)
  for (const { node, genesisFile } of validators) {
    away.add(node)
    await node.stop()
    writeFileSync(genesisFile, text)
    node.start()
    await advance(nodes, 2)
    away.delete(node)
  }
}

/** The longest time between blocks from a time on, in seconds. */
async function longestGap(node: RpcNode, from: number): Promise<number> {
  let longest = 0
  let block = await blockAt(node, 'latest')
  while (Number(block.timestamp) > from) {
    const parent = await blockAt(node, `0x${(Number(block.number) - 1).toString(16)}`)
    longest = Math.max(longest, Number(block.timestamp) - Number(parent.timestamp))
    block = parent
  }
  return longest
}

/** What the chain is like after Osaka, in the eyes of each node. */
async function checkOsaka({ way }: Case, { checks }: InteropTerms, nodes: readonly RpcNode[]): Promise<void> {
  const number = `0x${(Math.min(...(await Promise.all(nodes.map(heightOf)))) - 1).toString(16)}`
  const { requestsHash, parentHash } = await blockAt(nodes[0]!, number)
  checks.equal('blocks are those of Prague', requestsHash, noRequests)
  const hasCode = async (node: RpcNode) =>
    (await Promise.all(contracts.map((address) => node.call<string>('eth_getCode', address, number)))).map(
      (code) => code.length > 2,
    )
  const slot = `0x${((Number(number) - 1) % 8191).toString(16)}`
  for (const node of nodes) {
    checks.equal(
      `${node.name}: the contracts are there`,
      await hasCode(node),
      contracts.map(() => way !== 'none'),
    )
    if (way === 'none') continue
    const stored = await node.call('eth_getStorageAt', toHex(publicSystemContracts.history), slot, number)
    checks.equal(`${node.name}: blocks call them`, stored, parentHash)
  }
  const body = { to: hexToAddress(contracts[0]!.slice(2)), value: 0n, data: new Uint8Array(0), gasPrice: 0n }
  const tx = { type: 0 as const, chainId: 1337n, nonce: 0n, gasLimit: tooMuchGas, ...body }
  const raw = toHex(encodeTx(signTx(tx, fromHex(devAccounts[2].privateKey))))
  const taken = await Promise.all(
    nodes.map((node) =>
      node.call('eth_sendRawTransaction', raw).then(
        () => true,
        () => false,
      ),
    ),
  )
  checks.equal(`a transaction with ${tooMuchGas} gas is refused by all`, taken.includes(true), false)
}

/** From London to Osaka by the plan. */
async function upgrade(
  one: Case,
  terms: InteropTerms,
  validators: readonly Validator[],
  away: Set<RpcNode>,
  startTime: number,
): Promise<void> {
  const { checks, folder } = terms
  const nodes = validators.map(({ node }) => node)
  const [first] = validators.filter(({ isBesu }) => !isBesu)
  const output = join(folder, 'plan.json')
  const plan = await checks.step('upgrade plan, while the node runs', () =>
    planOf({ ...first!, folder: first!.seat.folder }, one.oldestBesu, output),
  )
  if (plan === undefined) throw new Error('there is no plan')
  // On a busy machine one needs as long as all that started together.
  const timeOf = (least: number) => Math.max(least, startTime)
  const restarts = validators.reduce(
    (sum, { isBesu }) => sum + timeOf(isBesu ? restartTime.besu : restartTime.quoin),
    0,
  )
  const shanghai = now() + restarts
  const { text, osaka } = hastened(output, shanghai, one.way === 'made' ? between.made : between.none)
  await restartAll(validators, text, away)
  const spare = shanghai - now()
  checks.note(`all nodes had the new file ${spare} s before the first fork`)
  if (spare < 0) throw new Error('the machine is too slow for this')
  await eventually('Shanghai has come', async () => (await timeOfHead(first!.node)) >= shanghai)
  if (one.way === 'made')
    await checks.step('the transactions of the plan make the contracts', () => makeContracts(plan, first!.node))
  await eventually('Osaka has come', async () => (await timeOfHead(first!.node)) >= osaka)
  await checks.step('all four make blocks after Osaka', () => advance(nodes, 2 * stretch))
  const gap = await longestGap(first!.node, shanghai - period)
  checks.note(`the longest time between two blocks from Shanghai on was ${gap} s`)
  checks.equal(`no gap at the forks is above ${maxPeriods} periods`, gap <= maxPeriods * period, true)
}

async function run(one: Case, terms: InteropTerms, basePort: number): Promise<void> {
  const { checks, folder } = terms
  const seats = [0, 1, 2, 3].map((i) => createSeat(folder, `validator-${i}`, basePort, i))
  const follower = createSeat(folder, 'follower', basePort, 4)
  const genesis = londonGenesis(seats)
  for (const seat of seats) {
    writeFileSync(join(seat.folder, 'static-nodes.json'), JSON.stringify(seats.map(({ enode }) => enode)))
    writeFileSync(join(seat.folder, 'genesis.json'), JSON.stringify(genesis))
  }
  const validators = createValidators(one, terms, seats)
  const nodes = validators.map(({ node }) => node)
  const quoins = validators.flatMap(({ node, isBesu }) => (isBesu ? [] : [node]))
  const away = new Set<RpcNode>()
  try {
    const started = now()
    for (const node of nodes) node.start()
    await checks.step('all four make blocks of London', () => reach(nodes, stretch))
    const startTime = now() - started
    await underTransferLoad(
      () => quoins.filter((node) => !away.has(node)),
      async (load) => {
        await withoutPlan(terms, genesis, follower, seats.at(-1)!.enode)
        await upgrade(one, terms, validators, away, startTime)
        await checkOsaka(one, terms, nodes)
        const sent = await load.stop()
        await advance(nodes, 2)
        const count = Number(await quoins[0]!.call<string>('eth_getTransactionCount', load.sender, 'latest'))
        checks.note(`${sent} transfers were sent`)
        checks.equal('transfers that failed', sent - count, 0)
        await sameBlocks(checks, nodes, 0, Math.min(...(await Promise.all(nodes.map(heightOf)))))
      },
    )
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

/** Chains of London without system contracts go to Prague and Osaka. */
export const besuUpgrade: Interop = {
  name: 'besu-upgrade',
  doc: 'a London chain under load goes to Prague and Osaka by `quoin upgrade plan`: 4 Quoin, and 2 Quoin with 2 Besu 26.8.0.',
  needs: ['besu'],
  whyNot: async ({ peersDir }) => whyNoVersion(version, peersDir),
  run: async (terms) => {
    for (const [number, one] of cases.entries()) {
      const folder = join(terms.folder, one.way)
      await terms.checks.step(one.name, () => run(one, { ...terms, folder }, terms.basePort + 60 * number))
    }
  },
}
