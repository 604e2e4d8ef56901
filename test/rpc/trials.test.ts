import { afterEach, describe, expect, test } from 'vitest'
import { createConsensus } from '../../src/consensus/createConsensus.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import { createDevGenesis } from '../../src/forks/devGenesis.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { createTraceFolder } from '../../src/node/ports/traceFolder.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { createEvms } from '../../src/query/evms.ts'
import type { RpcPorts } from '../../src/rpc/protocol/context.ts'
import { systemClock } from '../../src/system/clock.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { authorities, bftGenesis } from '../support/authorityChain.ts'
import { assemble, returnTop } from '../support/evmWorld.ts'
import { createMethodCaller } from '../support/methodCaller.ts'
import { openLimits } from '../support/openLimits.ts'
import { devTx, makeBlock, openTestChain, removeFolder } from '../support/testChain.ts'

const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A chain whose methods are called without a server in between, on the state that it has at the time. */
function start(genesis: object) {
  const spec = createChainSpec(toGenesisFile(genesis))
  const consensus = createConsensus(spec)
  const { chain, close, path } = openTestChain(spec, undefined, (parts) => ({ ...parts, consensus }))
  const { reward: rewardOf, beneficiary: beneficiaryOf } = consensus
  const evms = createEvms({ rewardOf, beneficiaryOf })
  const ask = createMethodCaller(['DEBUG', 'ETH', 'TRACE'])
  stops.push(() => removeFolder(path), close)
  async function call<T>(method: string, ...params: unknown[]): Promise<T> {
    const view = chain.openView()
    const ports: RpcPorts = {
      chain: () => view,
      evms,
      limits: openLimits,
      traces: createTraceFolder(path, systemClock),
    }
    const { result, error } = await ask(ports, method, params)
    view.close()
    if (error) throw new Error(`${error.code} ${error.message}`)
    return result as T
  }
  return { chain, call }
}

describe('a call that never ends, where blocks have no bound', () => {
  const endless = `0x${'e1'.repeat(20)}`
  // Long logs: the gas is gone after few steps, which take little time on any machine.
  const code = toHex(assemble('again: 1000000 0 LOG0 @again JUMP'))
  const genesis = {
    ...createDevGenesis('london'),
    alloc: { ...createDevGenesis('london').alloc, [endless]: { balance: '0x0', code } },
  }
  const call = { to: endless, gasPrice: '0x0' }
  const max = 50_000_000

  test('trace_call', async () => {
    const { trace } = await start(genesis).call<{ trace: { error: string }[] }>('trace_call', call, ['trace'])
    expect(trace).toMatchObject([{ error: 'Out of gas', action: { to: endless } }])
  })

  test('trace_rawTransaction, whatever gas it has', async () => {
    const tx = devTx(0n, { to: fromHex(endless) as never, gasLimit: 1n << 40n })
    const { trace } = await start(genesis).call<{ trace: object[] }>('trace_rawTransaction', toHex(encodeTx(tx)), [
      'trace',
    ])
    expect(trace).toMatchObject([{ error: 'Out of gas' }])
  })

  test('trace_callMany: all of its calls together', async () => {
    const { call: ask } = start(genesis)
    const calls = (count: number) => Array(count).fill([call, ['trace']])
    const results = await ask<{ trace: { action: { gas: string } }[] }[]>('trace_callMany', calls(20), 'latest')
    expect(Number(results[19]!.trace[0]!.action.gas)).toBe(max - 21_000)
    await expect(ask('trace_callMany', calls(21), 'latest')).rejects.toThrow('-32603 Timeout expired')
  })

  test('debug_traceCall', async () => {
    const frame = await start(genesis).call<object>('debug_traceCall', call, 'latest', { tracer: 'callTracer' })
    expect(frame).toMatchObject({ error: 'out of gas', gas: `0x${max.toString(16)}` })
  })

  test('eth_simulateV1', async () => {
    const simulation = { blockStateCalls: [{ calls: [call] }] }
    const [block] = await start(genesis).call<{ calls: object[] }[]>('eth_simulateV1', simulation)
    expect(block!.calls).toMatchObject([{ error: { message: 'out of gas' }, gasUsed: `0x${max.toString(16)}` }])
  })
})

test('a simulation tells why a call failed in the words of geth', async () => {
  const sources = ['POP', 'INVALID', 'again: 0 @again JUMP']
  const codes = sources.map((source, i) => [`0x${`a${i}`.repeat(20)}`, { code: toHex(assemble(source)) }] as const)
  const stateOverrides = Object.fromEntries(codes)
  const calls = codes.map(([to]) => ({ to, gas: '0xf4240' }))
  const simulation = { blockStateCalls: [{ stateOverrides, calls }] }
  const [block] = await start(createDevGenesis('london')).call<{ calls: { error: { message: string } }[] }[]>(
    'eth_simulateV1',
    simulation,
  )
  expect(block!.calls.map(({ error }) => error.message)).toEqual([
    'stack underflow (0 <=> 1)',
    'invalid opcode: INVALID',
    'stack limit reached 1024 (1023)',
  ])
})

test('logs of a simulated block are numbered through its calls', async () => {
  const [logger, failing] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]
  const stateOverrides = {
    [logger]: { code: toHex(assemble('0 0 LOG0 0 0 LOG0')) },
    [failing]: { code: toHex(assemble('0 0 LOG0 INVALID')) },
  }
  const calls = [logger, failing, logger].map((to) => ({ to, gas: '0xf4240' }))
  const blocks = await start(createDevGenesis('london')).call<{ calls: { logs: { logIndex: string }[] }[] }[]>(
    'eth_simulateV1',
    {
      blockStateCalls: [{ stateOverrides, calls }, { calls }],
    },
  )
  const indexes = blocks.map((block) => block.calls.map(({ logs }) => logs.map(({ logIndex }) => Number(logIndex))))
  expect(indexes).toEqual([
    [[0, 1], [], [2, 3]],
    [[0, 1], [], [2, 3]],
  ])
})

test('a simulated block tells contracts of the beacon root before the parent hash', async () => {
  const recorder = `0x${'ec'.repeat(20)}`
  const tellsRecorder = toHex(assemble(`0 0 0 0 0 ${recorder} GAS CALL`))
  const stateOverrides = {
    // Appends the last byte of the caller, and returns the bytes so far.
    [recorder]: { code: toHex(assemble(`0 SLOAD 256 MUL CALLER 255 AND ADD DUP1 0 SSTORE ${returnTop}`)) },
    '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': { code: tellsRecorder },
    '0x0000f90827f1c53a10cb7a02335b175320002935': { code: tellsRecorder },
    '0x00000961ef480eb55e80d19ad83579a64c007002': { code: '0x00' },
    '0x0000bbddc7ce488642fb579f8b00f3a590007251': { code: '0x00' },
  }
  const genesis = bftGenesis(qbftCodec, authorities(1), {
    londonBlock: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    quoin: { systemCalls: true },
  })
  const calls = [{ from: `0x${'ff'.repeat(20)}`, to: recorder }]
  const [block] = await start(genesis).call<{ calls: { returnData: string }[] }[]>('eth_simulateV1', {
    blockStateCalls: [{ stateOverrides, calls }],
  })
  expect(block!.calls.map(({ returnData }) => BigInt(returnData))).toEqual([0x0235ffn])
})

test('a call sees who collects the fees', async () => {
  const miningBeneficiary = `0x${'fe'.repeat(20)}`
  const genesis = bftGenesis(qbftCodec, authorities(1), { qbft: { blockPeriodSeconds: 1, miningBeneficiary } })
  const to = `0x${'c0'.repeat(20)}`
  const stateOverrides = { [to]: { code: toHex(assemble('COINBASE 0 MSTORE 32 0 RETURN')) } }
  const { call } = start(genesis)
  const seen = `${'00'.repeat(12)}${'fe'.repeat(20)}`
  expect(await call('debug_traceCall', { to }, 'latest', { stateOverrides })).toMatchObject({ returnValue: seen })
  expect(await call('eth_call', { to }, 'latest', stateOverrides)).toBe(`0x${seen}`)
})

describe('a block reward that changes at a block', () => {
  const qbft = { blockPeriodSeconds: 1, blockReward: '5' }
  const transitions = { qbft: [{ block: 2, blockReward: '7' }] }
  const genesis = bftGenesis(qbftCodec, authorities(1), { qbft, transitions })

  test('what producers earned', async () => {
    const { chain, call } = start(genesis)
    for (let i = 0; i < 2; i++) makeBlock(chain, [], { extraData: fromHex(genesis.extraData) })
    const reward = async (block: string) =>
      (await call<{ netBlockReward: string }>('eth_getMinerDataByBlockNumber', block)).netBlockReward
    expect([await reward('0x1'), await reward('0x2')]).toEqual(['0x5', '0x7'])
    const { hash } = await call<{ hash: string }>('eth_getBlockByNumber', '0x2', false)
    expect(await call('eth_getMinerDataByBlockHash', hash)).toMatchObject({ staticBlockReward: '0x7' })
  })

  test('what simulated blocks pay', async () => {
    const feeRecipient = `0x${'fe'.repeat(20)}`
    const reader = `0x${'ea'.repeat(20)}`
    const code = toHex(assemble(`${feeRecipient} BALANCE 0 MSTORE 32 0 RETURN`))
    const stateOverrides = { [reader]: { code } }
    const blocks = [{}, { stateOverrides, calls: [{ to: reader }] }, { calls: [{ to: reader }] }]
    const blockStateCalls = blocks.map((one) => ({ ...one, blockOverrides: { feeRecipient } }))
    const simulated = await start(genesis).call<{ calls: { returnData: string }[] }[]>(
      'eth_simulateV1',
      { blockStateCalls },
      'latest',
    )
    expect(simulated.map(({ calls }) => calls.map(({ returnData }) => Number(returnData)))).toEqual([[], [5], [12]])
  })
})
