import { afterEach, expect, test, vi } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { fillChain } from '../../../test/support/fillChain.ts'
import type { ProtocolPair } from '../../../test/support/protocolPair.ts'
import { inTurn, richGenesis, sealBlock } from '../../../test/support/sealedChain.ts'
import { connectNodes, type SnapNode, type SnapNodePlan, startSnapNode } from '../../../test/support/snapNode.ts'
import { qbftCodec } from '../../consensus/qbft/qbftCodec.ts'
import { txHash } from '../../types/encodeTx.ts'

const nodes: SnapNode[] = []
const pairs: ProtocolPair[] = []
const four = authorities(4)
const genesis = richGenesis({ codec: qbftCodec, validators: four }, { qbft: { epochlength: 50 } })

function start(plan: Partial<SnapNodePlan> = {}): SnapNode {
  const node = startSnapNode({ genesis, ...plan })
  nodes.push(node)
  return node
}

function connect(...args: Parameters<typeof connectNodes>): void {
  pairs.push(...connectNodes(...args))
}

function fill({ chain }: SnapNode, blocks: number): void {
  fillChain(chain, blocks, (txs) => {
    sealBlock(chain, { codec: qbftCodec, proposer: inTurn(chain, four), validators: four }, txs)
  })
}

const wait = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 10 })
const sameHead = (a: SnapNode, b: SnapNode) => wait(() => expect(a.head().hash).toEqual(b.head().hash))

afterEach(async () => {
  for (const pair of pairs.splice(0)) pair.close()
  for (const node of nodes.splice(0)) await node.close()
})

test('a node joins by the state of a recent block', async () => {
  const [a, b] = [start(), start({ joins: true })]
  fill(a, 200)
  connect(a, b)
  await sameHead(a, b)
  expect(b.store.read(b.states.head)).toEqual(a.store.read(a.states.head))
  expect(() => b.chain.read((view) => view.stateAt(100n))).toThrow('STATE_PRUNED')
  // The blocks before it come afterwards, with receipts and indexes.
  await wait(() => expect(b.chain.read((view) => view.past)).toBeUndefined())
  a.chain.read((there) =>
    b.chain.read((here) => {
      for (let number = 0n; number <= 200n; number++) {
        const { hash, block } = there.blockAt(number)!
        expect(here.blockAt(number)).toEqual(there.blockAt(number))
        expect(here.receipts(hash)?.length).toBe(there.receipts(hash)?.length)
        for (const tx of block.transactions) expect(here.findTx(txHash(tx))).toEqual(there.findTx(txHash(tx)))
      }
      const all = { fromBlock: 0n, toBlock: 200n, addresses: [], topics: [] }
      expect([...here.logs(all)]).toEqual([...there.logs(all)])
    }),
  )
})
