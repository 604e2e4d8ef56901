import { expect, test } from 'vitest'
import { createMethodCaller } from '../support/methodCaller.ts'
import { makeBlock, openTestChain, removeFolder } from '../support/testChain.ts'

const prices = { blocks: 100, percentile: 50, max: 0n }

test('capabilities tell which states were deleted, and that all else is kept', async () => {
  const { chain, close, path } = openTestChain()
  const view = () => chain.openView()
  const views: ReturnType<typeof view>[] = []
  try {
    for (let i = 0; i < 5; i++) makeBlock(chain)
    chain.prune(3)
    const ports = {
      chain: () => views[views.push(view()) - 1]!,
      limits: { maxLogsRange: 0n, gasPrice: prices, historyBlocks: 2n },
    }
    const { result } = await createMethodCaller(['ETH'])(ports, 'eth_capabilities', [])
    const state = {
      disabled: false,
      oldestBlock: '0x3',
      deleteStrategy: { type: 'window', retentionBlocks: '0x2' },
    }
    const rest = { disabled: false, oldestBlock: '0x0' }
    expect(result).toMatchObject({
      head: { number: '0x5' },
      ...{ state, stateproofs: state, tx: rest, logs: rest, receipts: rest, blocks: rest },
    })
  } finally {
    for (const one of views) one.close()
    await close()
    removeFolder(path)
  }
})
