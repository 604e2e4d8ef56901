import { createClient, until } from '../../bench/rpc/client.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { createBesuNetwork } from './besuNetwork.ts'
import type { Checks } from './checks.ts'
import type { Interop } from './interop.ts'
import { createQuoinProcess } from './quoinProcess.ts'

/** What the methods of an engine are called. */
const methods = {
  qbft: { prefix: 'qbft', vote: 'qbft_proposeValidatorVote', discard: 'qbft_discardValidatorVote' },
  ibft2: { prefix: 'ibft', vote: 'ibft_proposeValidatorVote', discard: 'ibft_discardValidatorVote' },
} as const

type Engine = keyof typeof methods

/** Heights that the network must reach, and how far it goes between two events. */
const goal = 100
const stretch = 8
const patience = 180

/** Someone who is voted in and out again and makes no blocks. */
const guest = '0x00000000000000000000000000000000000000aa'

interface Node {
  readonly name: string
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

const heightOf = async (node: Node) => Number(await node.call<string>('eth_blockNumber'))

/** Waits until all of these nodes have a block. */
async function reach(nodes: readonly Node[], number: number): Promise<void> {
  for (const node of nodes)
    await until(async () => (await heightOf(node).catch(() => -1)) >= number, patience).catch(() => {
      throw new Error(`${node.name} does not come to block ${number}`)
    })
}

/** The same question to all nodes must have the same answer. */
async function agree(checks: Checks, nodes: readonly Node[], method: string, ...params: unknown[]): Promise<unknown> {
  const answers = await Promise.all(nodes.map((node) => node.call(method, ...params)))
  checks.equal(
    `${method}(${params.map((param) => JSON.stringify(param)).join()}) of all`,
    answers.every((answer) => JSON.stringify(answer) === JSON.stringify(answers[0])),
    true,
  )
  return answers[0]
}

/** A block without what validators may each keep their own version of: the seals that its hash does not cover. */
async function digestOf(node: Node, block: string): Promise<string> {
  const { extraData, size, ...rest } = await node.call<Record<string, unknown>>('eth_getBlockByNumber', block, true)
  return JSON.stringify(Object.entries(rest).sort())
}

/** Sends a transfer to one node and looks for it on the others. */
async function transfer(checks: Checks, through: Node, nodes: readonly Node[], nonce: bigint): Promise<void> {
  const body = { to: fromHex(guest), value: 1n, data: new Uint8Array(0), gasLimit: 21_000n, gasPrice: 0n }
  const signed = signTx({ type: 0, chainId: 1337n, nonce, ...body } as never, fromHex(devAccounts[0].privateKey))
  await checks.step(`a transfer through ${through.name} is in all chains`, async () => {
    const hash = await through.call<string>('eth_sendRawTransaction', toHex(encodeTx(signed)))
    for (const node of nodes) await until(() => node.call('eth_getTransactionReceipt', hash), patience)
  })
}

async function vote(checks: Checks, nodes: readonly Node[], engine: Engine, add: boolean): Promise<void> {
  const { prefix, vote: propose, discard } = methods[engine]
  for (const node of nodes) await node.call(propose, guest, add)
  await agree(checks, nodes, `${prefix}_getPendingVotes`)
  await checks.step(`a validator is voted ${add ? 'in' : 'out'}`, () =>
    until(async () => {
      const validators = await nodes[0]!.call<string[]>(`${prefix}_getValidatorsByBlockNumber`, 'latest')
      return validators.includes(guest) === add
    }, patience),
  )
  for (const node of nodes) await node.call(discard, guest)
}

/** Two validators of Quoin and two of Besu: blocks, transfers, crashes and votes. */
async function run(engine: Engine, { checks, folder, peersDir, basePort }: Parameters<Interop['run']>[0]) {
  const network = createBesuNetwork({ peersDir, folder: `${folder}/network`, type: engine, nodes: 4, basePort })
  const quoins = network.nodes.slice(2).map((node) => createQuoinProcess({ ...node, genesisFile: network.genesisFile }))
  const nodes: readonly Node[] = network.nodes.map(({ httpPort }, i) => ({
    name: `${i < 2 ? 'besu' : 'quoin'}${i}`,
    call: createClient(`http://127.0.0.1:${httpPort}`).call,
  }))
  const next = async (without: number[] = []) => {
    const up = nodes.filter((_, i) => !without.includes(i))
    // One that was just started does not answer yet.
    const from = Math.max(...(await Promise.all(up.map((node) => heightOf(node).catch(() => 0)))))
    await reach(up, from + stretch)
  }
  try {
    for (const quoin of quoins) quoin.start()
    network.start(0, 1)
    await checks.step('all four make blocks together', () => reach(nodes, stretch))
    await transfer(checks, nodes[0]!, nodes, 0n)
    await transfer(checks, nodes[2]!, nodes, 1n)

    await quoins[1]!.kill()
    await checks.step('three go on after a Quoin was killed', () => next([3]))
    quoins[1]!.start()
    await checks.step('it comes back', () => next())
    network.stop(1)
    await checks.step('three go on after a Besu was stopped', () => next([1]))
    network.start(1)
    await checks.step('it comes back too', () => next())

    await vote(checks, nodes, engine, true)
    await checks.step('five validators go on', () => next())
    await vote(checks, nodes, engine, false)

    await checks.step(`${goal} blocks`, () => reach(nodes, goal))
    const { prefix } = methods[engine]
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
  run: (terms) => run('qbft', terms),
}
export const ibft2: Interop = {
  name: 'ibft2',
  doc: '2 Quoin and 2 Besu validators of one IBFT 2.0 network.',
  run: (terms) => run('ibft2', terms),
}
