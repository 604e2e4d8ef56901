import { expect, test } from 'vitest'
import { resolveConfig } from '../../config/resolveConfig.ts'
import { zeroAddress } from '../../primitives/bytes.ts'
import { hexToAddress } from '../../primitives/hex.ts'
import { miningPortOf } from './miningPort.ts'
import { createMiningSettings } from './miningSettings.ts'

const ownAddress = hexToAddress('00000000000000000000000000000000000000aa')
const coinbase = `0x${'cc'.repeat(20)}`

function setUp(
  engine: Parameters<typeof miningPortOf>[2]['engine'],
  flags: readonly [string, string][] = [],
  isDev = false,
) {
  let running = true
  const producer = {
    protocols: [],
    isRunning: () => running,
    start: () => void (running = true),
    stop: () => void (running = false),
  }
  const settings = createMiningSettings(resolveConfig(new Map(flags), {}).config)
  const port = miningPortOf(producer, settings, { engine, isDev, ownAddress })
  return { port, isRunning: () => running }
}

test.each(['clique', 'ibft2', 'qbft'] as const)(
  '%s: the coinbase is the node’s own address unless it is set',
  (engine) => {
    expect(setUp(engine).port.coinbase()).toEqual(ownAddress)
    expect(setUp(engine, [['miner-coinbase', coinbase]]).port.coinbase()).toEqual(hexToAddress(coinbase))
  },
)

test('without an engine that has validators there is no coinbase unless it is set', () => {
  expect(setUp('ethash').port.coinbase()).toBeUndefined()
})

test('the development network has one without being told, and goes on after a stop', () => {
  const { port, isRunning } = setUp('none', [], true)
  expect(port.coinbase()).toEqual(zeroAddress)
  expect([port.stop(), isRunning(), port.start(), isRunning()]).toEqual([true, false, true, true])
})

test.each([
  ['ethash', { stop: true, isMining: false, isRunning: false }],
  ['clique', { stop: false, isMining: false, isRunning: false }],
  ['ibft2', { stop: false, isMining: true, isRunning: true }],
  ['qbft', { stop: false, isMining: true, isRunning: true }],
] as const)('%s: production stops, or not, with the answer of Besu', (engine, expected) => {
  const { port, isRunning } = setUp(engine)
  expect({ stop: port.stop(), isMining: port.isMining(), isRunning: isRunning() }).toEqual(expected)
  expect([port.start(), port.isMining(), isRunning()]).toEqual([true, true, true])
})
