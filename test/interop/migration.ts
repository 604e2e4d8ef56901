import { join } from 'node:path'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { type BesuNetwork, type BesuNode, createBesuNetwork } from './besuNetwork.ts'
import { runBesu } from './besuProcess.ts'
import { outputOf } from './command.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { whyNoVersion } from './peerProgram.ts'
import { quoinProgram } from './quoinProcess.ts'
import { advance, createRpcNode, eventually, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { underTransferLoad } from './transferLoad.ts'

/** Blocks before the first move, and between two moves. */
const stretch = 8
/** Seconds from block to block: a busy machine must not take away rounds. */
const period = 2
const maxRound = 1

interface Block {
  readonly hash: string
  readonly stateRoot: string
  readonly extraData: string
  readonly miner: string
}

const blockAt = (node: RpcNode, number: number) =>
  node.call<Block>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)

/** Runs `quoin migrate`, which has to execute every block; returns what it prints. */
async function migrate(options: readonly string[], ...from: readonly string[]): Promise<string> {
  const output = await outputOf(process.execPath, [quoinProgram, ...options, 'migrate', ...from])
  if (!/executing every block led to its state root/.test(output)) throw new Error(output)
  return output
}

/** Copies a validator while its Besu runs; returns the node that the printed command line starts. */
async function migrateNode(node: BesuNode, genesisFile: string, folder: string, name: string): Promise<NodeProcess> {
  const options = [
    ...[`--data-path=${folder}`, `--genesis-file=${genesisFile}`, '--min-gas-price=0'],
    ...['--p2p-interface=127.0.0.1', '--p2p-host=127.0.0.1', `--p2p-port=${node.p2pPort}`],
    ...['--rpc-http-enabled', `--rpc-http-port=${node.httpPort}`, '--rpc-http-api=ADMIN,ETH,NET,QBFT,TXPOOL,WEB3'],
  ]
  const output = await migrate(options, `--from-besu=${node.folder}`)
  const args = /^ {2}quoin (.*)$/m.exec(output)?.[1]?.split(' ')
  if (!args) throw new Error(`there is no command line in: ${output}`)
  return createNodeProcess({
    name,
    httpPort: node.httpPort,
    logFile: `${folder}.log`,
    command: process.execPath,
    args: [quoinProgram, ...args],
  })
}

/** The head that a migration ends with has to be the block of the network. */
async function checkHead(output: string, node: RpcNode): Promise<void> {
  const [, number, hash] = /head is block (\d+) \((0x[0-9a-f]{64})\)/.exec(output) ?? []
  const { hash: expected } = await blockAt(node, Number(number))
  if (hash !== expected) throw new Error(`block ${number} is ${expected} in the network: ${output}`)
}

/** The rounds in which blocks were decided, from one number to another. */
async function roundsOf(node: RpcNode, first: number, last: number): Promise<number[]> {
  const rounds: number[] = []
  for (let number = first; number <= last; number++)
    rounds.push(qbftCodec.decode(fromHex((await blockAt(node, number)).extraData)).round)
  return rounds
}

/** Validators that go from Besu to Quoin, and one of them back, while a load runs. */
class MovingNetwork {
  readonly network: BesuNetwork
  readonly nodes: readonly RpcNode[]
  readonly away = new Set<number>()
  private readonly quoins: (NodeProcess | undefined)[]
  private readonly terms: InteropTerms
  private readonly version: string

  constructor(version: string, terms: InteropTerms) {
    const { peersDir, folder, basePort } = terms
    const options = { peersDir, folder: join(folder, 'network'), nodes: 4, basePort, period, version }
    this.network = createBesuNetwork({ ...options, type: 'qbft' })
    this.nodes = this.network.nodes.map(({ httpPort }, i) => createRpcNode(`validator ${i}`, httpPort))
    this.quoins = this.network.nodes.map(() => undefined)
    this.terms = terms
    this.version = version
  }

  /** Those that are not being moved. */
  up(): readonly RpcNode[] {
    return this.nodes.filter((_, i) => !this.away.has(i))
  }

  /** Without the data folder: by JSON-RPC alone. */
  async copyByRpc(): Promise<void> {
    const { folder } = this.terms
    const options = [`--data-path=${join(folder, 'by-rpc')}`, `--genesis-file=${this.network.genesisFile}`]
    const { httpPort } = this.network.nodes[1]!
    await checkHead(await migrate(options, `--from-besu=http://127.0.0.1:${httpPort}`), this.nodes[1]!)
  }

  /** From the data folder of a Besu that is stopped, and what it exported before. */
  async copyFromFile(i: number): Promise<void> {
    const { folder, peersDir } = this.terms
    const { genesisFile, nodes } = this.network
    const data = nodes[i]!.folder
    const blocks = join(folder, 'blocks.rlp')
    const besu = [`--data-path=${data}`, `--genesis-file=${genesisFile}`]
    runBesu(peersDir, this.version, ...besu, 'blocks', 'export', `--to=${blocks}`)
    const options = [`--data-path=${join(folder, 'from-file')}`, `--genesis-file=${genesisFile}`]
    await checkHead(await migrate(options, `--from-besu=${data}`, `--blocks-from=${blocks}`), this.up()[0]!)
  }

  /** Copies a validator while its Besu runs, and lets Quoin take its place. */
  async move(i: number): Promise<void> {
    const { checks, folder } = this.terms
    const { network, nodes, away } = this
    const quoin = await checks.step(`validator ${i} is copied while its Besu runs`, () =>
      migrateNode(network.nodes[i]!, network.genesisFile, join(folder, `quoin${i}`), `quoin ${i}`),
    )
    if (!quoin) throw new Error('a network that is half moved is of no use')
    away.add(i)
    network.stop(i)
    if (i === 0) await checks.step('its blocks are copied from a file', () => this.copyFromFile(i))
    quoin.start()
    this.quoins[i] = quoin
    await checks.step(`validator ${i} is at the head with Quoin`, () =>
      eventually('it answers', () => quoin.call('eth_blockNumber')).then(() => advance(nodes, 1)),
    )
    away.delete(i)
  }

  /** Besu's folder is as it was left. */
  async moveBack(i: number): Promise<void> {
    const { network, nodes, away } = this
    away.add(i)
    await this.quoins[i]!.stop()
    network.start(i)
    await this.terms.checks.step(`validator ${i} is at the head with Besu again`, () => advance(nodes, 1))
    away.delete(i)
  }

  async stop(): Promise<void> {
    await Promise.all(this.quoins.map((quoin) => quoin?.stop()))
    this.network.stop()
  }
}

/** What the chain is like after all the moves. */
async function checkEnd({ checks }: InteropTerms, { nodes, network }: MovingNetwork, first: number): Promise<void> {
  const last = Math.min(...(await Promise.all(nodes.map(heightOf))))
  const versions = await Promise.all(nodes.map((node) => node.call<string>('web3_clientVersion')))
  checks.equal(
    'who runs',
    versions.map((version) => version.split('/')[0]),
    ['besu', 'quoin', 'quoin', 'quoin'],
  )
  await sameBlocks(checks, nodes, 0, last)
  const heads = await Promise.all(nodes.map((node) => blockAt(node, last)))
  checks.equal('the state root of all', new Set(heads.map(({ stateRoot }) => stateRoot)).size, 1)
  const rounds = await roundsOf(nodes[1]!, first, last)
  const late = rounds.filter((round) => round > 0).length
  checks.note(`${rounds.length} blocks, ${late} of them in a later round than the first`)
  checks.equal(`no block took more than one more round`, rounds.filter((round) => round > maxRound).length, 0)
  const makers = await Promise.all(
    Array.from({ length: 2 * nodes.length }, async (_, i) => (await blockAt(nodes[1]!, last - i)).miner),
  )
  for (const [i, { address }] of network.nodes.entries())
    checks.equal(`validator ${i} makes blocks at the end`, makers.includes(address), true)
}

async function run(version: string, terms: InteropTerms): Promise<void> {
  const { checks } = terms
  const moving = new MovingNetwork(version, terms)
  const { nodes, network } = moving
  try {
    network.start()
    await reach(nodes, 2)
    const first = (await heightOf(nodes[0]!)) + 1
    await underTransferLoad(
      () => moving.up(),
      async (load) => {
        await advance(nodes, stretch)
        await checks.step('the chain is copied by JSON-RPC', () => moving.copyByRpc())
        for (const i of network.nodes.keys()) {
          await moving.move(i)
          await advance(nodes, stretch)
        }
        await moving.moveBack(0)
        await advance(nodes, 2 * nodes.length)
        const sent = await load.stop()
        await checks.step(`all ${sent} transfers are in blocks`, () =>
          eventually('they are mined', async () => {
            const count = await nodes[0]!.call<string>('eth_getTransactionCount', load.sender, 'latest')
            return Number(count) === sent
          }),
        )
        await checkEnd(terms, moving, first)
      },
    )
  } finally {
    await moving.stop()
  }
}

/** A network of one version of Besu moves over. */
function migrationFrom(name: string, version: string): Interop {
  return {
    name,
    doc: `4 Besu ${version} validators of a QBFT network under load move to Quoin one by one with \`quoin migrate\`, and one back.`,
    needs: ['besu'],
    whyNot: async ({ peersDir }) => whyNoVersion(version, peersDir),
    run: (terms) => run(version, terms),
  }
}

export const migration = migrationFrom('migration', '24.1.2')
export const migrationToday = migrationFrom('migration-besu-26', '26.8.0')
