import { createBesuNetwork } from './besuNetwork.ts'
import { castVotes, type Engine, voteMethods } from './castVotes.ts'
import type { Interop } from './interop.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, agree, createRpcNode, guest, type RpcNode, reach, transfer } from './rpcNode.ts'

/** Heights that the network must reach, and how far it goes between two events. */
const goal = 100
const stretch = 8

/** A block without what validators may each keep their own version of: the seals that its hash does not cover. */
async function digestOf(node: RpcNode, block: string): Promise<string> {
  const { extraData, size, ...rest } = await node.call<Record<string, unknown>>('eth_getBlockByNumber', block, true)
  return JSON.stringify(Object.entries(rest).sort())
}

/** Two validators of Quoin and two of Besu: blocks, transfers, crashes and votes. */
async function run(engine: Engine, { checks, folder, peersDir, basePort }: Parameters<Interop['run']>[0]) {
  const network = createBesuNetwork({ peersDir, folder: `${folder}/network`, type: engine, nodes: 4, basePort })
  const nodes = network.nodes.map(({ httpPort }, i) => createRpcNode(`${i < 2 ? 'besu' : 'quoin'}${i}`, httpPort))
  const { genesisFile } = network
  const quoins = network.nodes
    .slice(2)
    .map((node, i) => createQuoinProcess({ ...node, name: nodes[i + 2]!.name, genesisFile }))
  const next = (without: readonly number[] = []) =>
    advance(
      nodes.filter((_, i) => !without.includes(i)),
      stretch,
    )
  try {
    for (const quoin of quoins) quoin.start()
    network.start(0, 1)
    await checks.step('all four make blocks together', () => reach(nodes, stretch))
    await transfer(checks, nodes[0]!, nodes, { nonce: 0n, gasPrice: 0n })
    await transfer(checks, nodes[2]!, nodes, { nonce: 1n, gasPrice: 0n })

    await quoins[1]!.kill()
    await checks.step('three go on after a Quoin was killed', () => next([3]))
    quoins[1]!.start()
    await checks.step('it comes back', () => next())
    network.stop(1)
    await checks.step('three go on after a Besu was stopped', () => next([1]))
    network.start(1)
    await checks.step('it comes back too', () => next())

    await castVotes(checks, nodes, engine, { address: guest, add: true })
    await checks.step('five validators go on', () => next())
    await castVotes(checks, nodes, engine, { address: guest, add: false })

    await checks.step(`${goal} blocks`, () => reach(nodes, goal))
    const { prefix } = voteMethods[engine]
    for (const number of [0, 1, stretch, 30, 50, 70, goal]) {
      const block = `0x${number.toString(16)}`
      checks.equal(
        `block ${number} of all`,
        new Set(await Promise.all(nodes.map((node) => digestOf(node, block)))).size,
        1,
      )
      await agree(checks, nodes, `${prefix}_getValidatorsByBlockNumber`, block)
    }
    const metrics = await Promise.all(
      nodes.map(async (node) => {
        const list = await node.call<{ address: string }[]>(`${prefix}_getSignerMetrics`, '0x1', '0x64')
        return list.sort((a, b) => (a.address < b.address ? -1 : 1))
      }),
    )
    for (const [i, own] of metrics.entries()) checks.equal(`signer metrics of ${nodes[i]!.name}`, own, metrics[0])
    const makers = new Set(
      (metrics[0] as { address: string; proposedBlockCount: string }[])
        .filter(({ proposedBlockCount }) => Number(proposedBlockCount) > 0)
        .map(({ address }) => address),
    )
    for (const [i, { address }] of network.nodes.entries())
      checks.equal(`${nodes[i]!.name} made blocks`, makers.has(address), true)
  } finally {
    await Promise.all(quoins.map((quoin) => quoin.stop()))
    network.stop()
  }
}

export const qbft: Interop = {
  name: 'qbft',
  doc: '2 Quoin and 2 Besu validators of one QBFT network.',
  needs: ['besu'],
  run: (terms) => run('qbft', terms),
}
export const ibft2: Interop = {
  name: 'ibft2',
  doc: '2 Quoin and 2 Besu validators of one IBFT 2.0 network.',
  needs: ['besu'],
  run: (terms) => run('ibft2', terms),
}
