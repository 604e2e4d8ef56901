import { join } from 'node:path'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { type BesuNode, createBesuNetwork } from './besuNetwork.ts'
import { outputOf } from './command.ts'
import type { Interop } from './interop.ts'
import { createNodeProcess, type NodeProcess } from './nodeProcess.ts'
import { quoinProgram } from './quoinProcess.ts'
import { advance, createRpcNode, eventually, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { startTransferLoad } from './transferLoad.ts'

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

/** Copies a validator while its Besu runs; returns the node that the printed command line starts. */
async function migrateNode(node: BesuNode, genesisFile: string, folder: string, name: string): Promise<NodeProcess> {
  const options = [
    ...[`--data-path=${folder}`, `--genesis-file=${genesisFile}`, '--min-gas-price=0'],
    ...['--p2p-interface=127.0.0.1', '--p2p-host=127.0.0.1', `--p2p-port=${node.p2pPort}`],
    ...['--rpc-http-enabled', `--rpc-http-port=${node.httpPort}`, '--rpc-http-api=ADMIN,ETH,NET,QBFT,TXPOOL,WEB3'],
  ]
  const output = await outputOf(process.execPath, [quoinProgram, ...options, 'migrate', `--from-besu=${node.folder}`])
  if (!/executing every block led to its state root/.test(output)) throw new Error(output)
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

/** The rounds in which blocks were decided, from one number to another. */
async function roundsOf(node: RpcNode, first: number, last: number): Promise<number[]> {
  const rounds: number[] = []
  for (let number = first; number <= last; number++)
    rounds.push(qbftCodec.decode(fromHex((await blockAt(node, number)).extraData)).round)
  return rounds
}

/** A network of Besu under load moves over validator by validator, and one of them back. */
export const migration: Interop = {
  name: 'migration',
  doc: '4 Besu validators of a QBFT network under load move to Quoin one by one with `quoin migrate`, and one back.',
  needs: ['besu'],
  async run({ checks, folder, peersDir, basePort }) {
    const options = { peersDir, folder: join(folder, 'network'), type: 'qbft', nodes: 4, basePort, period } as const
    const network = createBesuNetwork(options)
    const nodes = network.nodes.map(({ httpPort }, i) => createRpcNode(`validator ${i}`, httpPort))
    const quoins: (NodeProcess | undefined)[] = network.nodes.map(() => undefined)
    const away = new Set<number>()
    const up = () => nodes.filter((_, i) => !away.has(i))
    try {
      network.start()
      await reach(nodes, 2)
      const first = (await heightOf(nodes[0]!)) + 1
      const load = startTransferLoad(up)
      await advance(nodes, stretch)

      for (const [i, node] of network.nodes.entries()) {
        const quoin = await checks.step(`validator ${i} is copied while its Besu runs`, () =>
          migrateNode(node, network.genesisFile, join(folder, `quoin${i}`), `quoin ${i}`),
        )
        if (!quoin) throw new Error('a network that is half moved is of no use')
        away.add(i)
        network.stop(i)
        quoin.start()
        quoins[i] = quoin
        await checks.step(`validator ${i} is at the head with Quoin`, () =>
          eventually('it answers', () => quoin.call('eth_blockNumber')).then(() => advance(nodes, 1)),
        )
        away.delete(i)
        await advance(nodes, stretch)
      }

      // Besu's folder is as it was left.
      away.add(0)
      await quoins[0]!.stop()
      network.start(0)
      await checks.step('validator 0 is at the head with Besu again', () => advance(nodes, 1))
      away.delete(0)
      await advance(nodes, 2 * nodes.length)

      const sent = await load.stop()
      await checks.step(`all ${sent} transfers are in blocks`, () =>
        eventually('they are mined', async () => {
          const count = await nodes[0]!.call<string>('eth_getTransactionCount', load.sender, 'latest')
          return Number(count) === sent
        }),
      )
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
    } finally {
      await Promise.all(quoins.map((quoin) => quoin?.stop()))
      network.stop()
    }
  },
}
