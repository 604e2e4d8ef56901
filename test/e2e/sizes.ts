import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openNetworkPlan } from '../../src/cli/network/networkPlan.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { createNodeProcess } from '../interop/nodeProcess.ts'
import { quoinProgram } from '../interop/quoinProcess.ts'
import { eventually, guest, hashAt, heightOf, type RpcNode, reach } from '../interop/rpcNode.ts'
import { stopAll } from '../interop/stopAll.ts'
import { freePort } from '../support/freePort.ts'
import { createValidatorProcess, type ValidatorProcess } from '../support/validatorProcess.ts'
import type { Suite, SuiteTerms } from './suite.ts'

const engines = ['qbft', 'ibft2', 'clique'] as const
const forks = ['berlin', 'prague', 'osaka'] as const
const validators = 4
const period = 2
const maxBlock = 8 << 20
/** Each flood has some 20 MB, more than two blocks take. */
const floods = [
  { name: '128 KB', bytes: 131_072 - 300, count: 150 },
  { name: '1.6 MB', bytes: 1_600_000, count: 12 },
]

/** Milliseconds before a refused transaction is sent again, at first and at most: each is megabytes of JSON to the nodes under test. */
const [firstPause, longestPause] = [500, 4000]

/** Transactions of zeros of one account, in order of nonces, to a validator each. */
async function flood(nodes: readonly RpcNode[], { bytes, count }: (typeof floods)[number]): Promise<void> {
  const account = devAccounts[0]
  const [node] = nodes as [RpcNode, ...RpcNode[]]
  const first = BigInt(await node.call<string>('eth_getTransactionCount', account.address, 'latest'))
  const fields = { gasPrice: 0n, value: 0n, data: new Uint8Array(bytes), chainId: 1337n, to: hexToAddress(guest) }
  for (let i = 0n; i < BigInt(count); i++) {
    const gasLimit = BigInt(21_000 + 10 * bytes)
    const tx = signTx({ type: 0, nonce: first + i, gasLimit, ...fields }, fromHex(account.privateKey))
    const raw = toHex(encodeTx(tx))
    let pause = firstPause
    // While too many wait, the node says so.
    await eventually(`transaction ${i} of ${bytes} bytes is taken`, () =>
      node.call<string>('eth_sendRawTransaction', raw).catch(async (error: Error) => {
        if (error.message.includes('Known transaction')) return 'known'
        await delay(pause)
        pause = Math.min(2 * pause, longestPause)
        throw error
      }),
    )
  }
  await eventually('all transactions are mined', async () => {
    const done = BigInt(await node.call<string>('eth_getTransactionCount', account.address, 'latest'))
    return done === first + BigInt(count)
  })
}

interface Shown {
  readonly timestamp: string
  readonly size: string
}

async function blocksOf(node: RpcNode, from: number): Promise<Shown[]> {
  const to = await heightOf(node)
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => `0x${(from + i).toString(16)}`)
  return Promise.all(numbers.map((number) => node.call<Shown>('eth_getBlockByNumber', number, false)))
}

/** A node without a validator's key that knows one of the others. */
async function createJoiner(dir: string, { enode }: ValidatorProcess) {
  const [http, p2p] = [await freePort(), await freePort()]
  const data = join(dir, 'joiner')
  return createNodeProcess({
    name: 'joiner',
    httpPort: http,
    logFile: join(dir, 'joiner.log'),
    command: process.execPath,
    args: [
      quoinProgram,
      `--genesis-file=${join(dir, 'genesis.json')}`,
      `--data-path=${data}`,
      `--bootnodes=${enode}`,
      '--p2p-interface=127.0.0.1',
      `--p2p-port=${p2p}`,
      '--rpc-http-enabled',
      `--rpc-http-port=${http}`,
    ],
  })
}

async function tryNetwork(name: string, dir: string, nodes: readonly ValidatorProcess[], { checks }: SuiteTerms) {
  const [first] = nodes as [ValidatorProcess, ...ValidatorProcess[]]
  for (const node of nodes) node.start()
  await reach(nodes, 2)
  const peersOf = async (node: RpcNode) => Number(await node.call<string>('net_peerCount'))
  for (const node of nodes)
    await eventually(`${node.name} has all peers`, async () => (await peersOf(node)) === validators - 1)

  let leastPeers = validators
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      for (const node of nodes) leastPeers = Math.min(leastPeers, await peersOf(node).catch(() => validators))
      await delay(250)
    }
  })()
  for (const one of floods) {
    const from = await heightOf(first)
    await checks.step(`${name}: ${one.count} transactions of ${one.name} are mined`, () => flood(nodes, one))
    const blocks = await blocksOf(first, from)
    const [oldest, newest] = [Number(blocks[0]!.timestamp), Number(blocks.at(-1)!.timestamp)]
    const mean = (newest - oldest) / Math.max(1, blocks.length - 1)
    const largest = Math.max(...blocks.map(({ size }) => Number(size)))
    checks.note(`${name}, ${one.name}: ${blocks.length} blocks, ${mean.toFixed(2)} s each, ${largest} bytes at most`)
    checks.equal(`${name}: the period is kept within twice its length (${one.name})`, mean <= 2 * period, true)
    checks.equal(`${name}: no block is above 8 MiB (${one.name})`, largest <= maxBlock, true)
  }
  isOver = true
  await watch
  checks.equal(`${name}: no peer was lost`, leastPeers, validators - 1)

  const joiner = await createJoiner(dir, first)
  await stopAll([joiner], async () => {
    joiner.start()
    const height = await heightOf(first)
    await checks.step(`${name}: a new node gets all blocks`, () => reach([joiner], height))
    checks.equal(`${name}: the new node has the same block`, await hashAt(joiner, height), await hashAt(first, height))
  })
}

/** Networks whose gas limit sets no bound, under floods of large transactions. */
export const sizes: Suite = {
  name: 'sizes',
  doc: 'Floods of 128 KB and 1.6 MB transactions on QBFT, IBFT 2.0 and Clique, from Berlin to Osaka (--only qbft-osaka).',
  onlyByName: true,
  async run(terms) {
    const { folder, only, checks } = terms
    for (const consensus of engines)
      for (const fork of forks) {
        const name = `${consensus}-${fork}`
        if (only.length > 0 && !only.some((text) => name.includes(text))) continue
        const dir = join(folder, name)
        await checks.step(`${name} runs to its end`, async () => {
          const plan = openNetworkPlan(dir, { validators, consensus, fork, period, basePort: await freePort() })
          const nodes = Array.from({ length: validators }, (_, i) => createValidatorProcess(dir, plan, i))
          await stopAll(nodes, () => tryNetwork(name, dir, nodes, terms))
        })
      }
  },
}
