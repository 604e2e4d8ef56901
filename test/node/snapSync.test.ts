import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { verifyData } from '../../src/maintenance/verifyData.ts'
import { ethCodes } from '../../src/net/eth/messages.ts'
import { snapRequests } from '../../src/net/snap/messages.ts'
import { gasPriceToOffer } from '../../src/query/prices.ts'
import { decodeRow } from '../../src/state/row.ts'
import { meta, publicState, publicState2 } from '../../src/store/schema.ts'
import { txHash } from '../../src/types/encodeTx.ts'
import { authorities } from '../support/authorityChain.ts'
import { fillChain } from '../support/fillChain.ts'
import { connectPair, type ProtocolPair } from '../support/protocolPair.ts'
import { inTurn, richGenesis, sealBlock } from '../support/sealedChain.ts'
import { connectNodes, type SnapNode, type SnapNodePlan, startSnapNode } from '../support/snapNode.ts'
import { altering, silentAt, tampered } from '../support/tampered.ts'
import { removeFolder } from '../support/testChain.ts'

const nodes: SnapNode[] = []
const pairs: ProtocolPair[] = []
const four = authorities(4)
const genesis = richGenesis({ codec: qbftCodec, validators: four }, { qbft: { epochlength: 50 } })
const height = 200
/** A node that has executed every block. */
let source: SnapNode

function fill({ chain }: SnapNode, blocks: number): void {
  fillChain(chain, blocks, (txs) => {
    sealBlock(chain, { codec: qbftCodec, proposer: inTurn(chain, four), validators: four }, txs)
  })
}

function start(plan: Partial<SnapNodePlan> = {}): SnapNode {
  const node = startSnapNode({ genesis, joins: true, ...plan })
  nodes.push(node)
  return node
}

interface Connection {
  readonly ends: Parameters<typeof connectNodes>
  pairs: ProtocolPair[]
}
const connections: Connection[] = []

function connect(...ends: Parameters<typeof connectNodes>): void {
  connections.push({ ends, pairs: connectNodes(...ends) })
}

function disconnectAll(): void {
  for (const pair of [...connections.splice(0).flatMap((one) => one.pairs), ...pairs.splice(0)]) pair.close()
}

/** On a machine that hardly runs, honest peers may be too slow for one another: they call again, as nodes do. */
function callAgain(): void {
  for (const one of connections)
    if (one.pairs.some((pair) => pair.ended())) {
      for (const pair of one.pairs) pair.close()
      one.pairs = connectNodes(...one.ends)
    }
}

const wait = (check: () => void) =>
  vi.waitFor(
    () => {
      callAgain()
      check()
    },
    { timeout: 240_000, interval: 10 },
  )
const atHead = (node: SnapNode) => wait(() => expect(node.head().hash).toEqual(source.head().hash))
const pastOf = ({ chain }: SnapNode) => chain.read((view) => view.past)

async function stop(node: SnapNode): Promise<void> {
  disconnectAll()
  nodes.splice(nodes.indexOf(node), 1)
  await node.close(true)
}

/** What `quoin verify` finds in the data of a node that has stopped. */
async function findingsIn({ path, chain }: SnapNode) {
  const network = { name: 'test', spec: chain.spec, networkId: chain.spec.chainId, isDev: false, funded: [] }
  return (await verifyData(path, network, () => {})).findings
}

/** The newest values of a state by their keys, wherever it lies: the state itself, and not how it came to be. */
function valuesOf({ store }: SnapNode): Map<string, string> {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const values = new Map<string, string>()
  store.read((reader) => {
    const tables = reader.peek(meta, 'state')?.[0] === 1 ? publicState2 : publicState
    for (const name of ['accounts', 'slots', 'branches'] as const)
      for (const [key, row] of reader.range(tables[name], {})) {
        const { value } = decodeRow(row)
        if (value.length > 0) values.set(`${name} ${hex(key)}`, hex(value))
      }
  })
  return values
}

function expectSameBlocks(node: SnapNode, from = 0): void {
  source.chain.read((there) =>
    node.chain.read((here) => {
      for (let number = BigInt(from); number <= there.head.header.number; number++) {
        const { hash, block } = there.blockAt(number)!
        expect(here.blockAt(number)).toEqual(there.blockAt(number))
        expect(here.receipts(hash)?.map(({ gasUsed, logs, outcome }) => ({ gasUsed, logs, outcome }))).toEqual(
          there.receipts(hash)?.map(({ gasUsed, logs, outcome }) => ({ gasUsed, logs, outcome })),
        )
        for (const tx of block.transactions) expect(here.findTx(txHash(tx))).toEqual(there.findTx(txHash(tx)))
      }
      const all = { fromBlock: BigInt(from), toBlock: there.head.header.number, addresses: [], topics: [] }
      expect([...here.logs(all)]).toEqual([...there.logs(all)])
    }),
  )
}

beforeAll(() => {
  source = startSnapNode({ genesis })
  fill(source, height)
})

afterEach(async () => {
  disconnectAll()
  for (const node of nodes.splice(0)) await node.close()
})

afterAll(() => source.close())

describe('a node joins by the state of a recent block', () => {
  test('what it has in the end is what a node has that executed every block, and it verifies', async () => {
    const node = start()
    connect(source, node)
    await atHead(node)
    expect(() => node.chain.read((view) => view.stateAt(100n))).toThrow('STATE_PRUNED')
    await wait(() => expect(pastOf(node)).toBeUndefined())
    expect(valuesOf(node)).toEqual(valuesOf(source))
    expectSameBlocks(node)
    await stop(node)
    expect(await findingsIn(node)).toEqual([])
    removeFolder(node.path)
  })

  test('however often it is stopped on its way', async () => {
    let node = start()
    const stages = new Set<string>()
    for (let i = 0; i < 40 && (pastOf(node) || node.head().header.number < BigInt(height)); i++) {
      connect(source, node)
      // At other moments each time.
      for (let turn = 0; turn < 5 + 11 * i; turn++) await new Promise(setImmediate)
      stages.add(pastOf(node) ? 'past' : (node.eth.sync.status()?.snap?.stage ?? 'none'))
      await stop(node)
      expect(await findingsIn(node)).toEqual([])
      node = start({ path: node.path })
    }
    connect(source, node)
    await atHead(node)
    await wait(() => expect(pastOf(node)).toBeUndefined())
    expect(stages.size).toBeGreaterThan(1)
    expect(valuesOf(node)).toEqual(valuesOf(source))
    expectSameBlocks(node)
  })

  test('without the blocks that are not wanted, of which it says so', async () => {
    const node = start({ pastBlocks: 20 })
    connect(source, node)
    await atHead(node)
    const first = height - 8 - 20 + 1
    await wait(() => expect(pastOf(node)).toMatchObject({ first, wanted: first, sealed: 1 }))
    expectSameBlocks(node, first)
    node.chain.read((view) => {
      const notKept = `block 100 is not kept: this node has the transactions and receipts of blocks from ${first} on`
      expect(view.headerAt(100n)).toEqual(source.chain.read((there) => there.headerAt(100n)))
      const { hash } = view.headerAt(100n)!
      for (const read of [
        () => view.blockAt(100n),
        () => view.body(hash),
        () => view.receipts(hash),
        () => view.transactionAt(hash, 0),
        () => view.receiptAt(hash, 0),
        () => view.logsOf(hash, { addresses: [], topics: [] }),
      ])
        expect(read).toThrow(notKept)
      expect(() => [...view.logs({ fromBlock: 100n, toBlock: 190n, addresses: [], topics: [] })]).toThrow('is not kept')
      // Of the blocks before the head that it usually comes from not all are there.
      expect(gasPriceToOffer(view, { blocks: 100, percentile: 50, max: 10n ** 18n }, 1n)).toBeGreaterThan(1n)
    })
    await stop(node)
    expect(await findingsIn(node)).toEqual([])
    removeFolder(node.path)
  })
})

describe('liars are not believed, and it goes on with who tells the truth', () => {
  const response = (kind: keyof typeof snapRequests) => snapRequests[kind] + 1
  test.each([
    ['headers', 'eth', altering(ethCodes.blockHeaders)],
    ['headers, in the middle', 'eth', altering(ethCodes.blockHeaders, 4000)],
    ['bodies', 'eth', altering(ethCodes.blockBodies)],
    ['receipts', 'eth', altering(ethCodes.receipts, 40)],
    ['no receipts', 'eth', silentAt(ethCodes.receipts)],
    ['accounts', 'snap', altering(response('accountRange'))],
    ['slots', 'snap', altering(response('storageRanges'))],
    ['code', 'snap', altering(response('byteCodes'))],
    ['no accounts', 'snap', silentAt(response('accountRange'))],
  ] as const)('%s', async (_, name, change) => {
    const node = start()
    for (const each of ['snap', 'eth'] as const)
      pairs.push(
        connectPair(
          each === name ? tampered(source.protocol(each), { send: change }) : source.protocol(each),
          node.protocol(each),
        ),
      )
    connect(source, node)
    await atHead(node)
    await wait(() => expect(pastOf(node)).toBeUndefined())
    expect(valuesOf(node)).toEqual(valuesOf(source))
    expectSameBlocks(node)
  })
})
