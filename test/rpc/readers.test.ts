import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { readerSettingsOf } from '../../src/node/readers/readerSettings.ts'
import { workerUrl } from '../../src/primitives/packageRoot.ts'
import { createReaders, type ReaderLoss } from '../../src/readers/createReaders.ts'
import { startReaderProcess } from '../../src/readers/readerProcess.ts'
import { methods } from '../../src/rpc/methods/all.ts'
import { mayTakeLong } from '../../src/rpc/protocol/onlyReads.ts'
import { childrenOf } from '../support/childrenOf.ts'
import { type DevNode, dialWs, richAddress, startDevNode } from '../support/devNode.ts'
import { createManualClock } from '../support/manualClock.ts'
import { isWholeRun } from '../support/wholeRun.ts'
import { type Networks, openNetworks } from './transcripts/networks.ts'
import { nodeNameOf, perform } from './transcripts/perform.ts'
import { readTranscripts, remarkOf } from './transcripts/transcript.ts'

describe('answers of readers are those of the node', () => {
  const transcripts = methods
    .filter(mayTakeLong)
    // Its files are named by the time, which a reader takes from the system.
    .filter(({ name }) => name !== 'debug_standardTraceBlockToFile')
    .flatMap(({ name }) => readTranscripts(name))
    .filter((transcript) => remarkOf(transcript, 'node') !== 'fresh')
    // Each node starts a reader of its own.
    .filter((transcript) => isWholeRun || ['dev', 'prague'].includes(nodeNameOf(transcript)))
  let networks: Networks
  beforeAll(() => {
    networks = openNetworks({ 'rpc-readers': '1', 'rpc-reader-min-milliseconds': '0' })
  })
  afterAll(() => networks.stop())

  test.each(transcripts.map((one) => [`${one.method}/${one.name}`, one] as const))('%s', (_, transcript) =>
    perform(transcript, networks),
  )
})

/** Code that returns the number of the block it runs in. */
const blockNumber = { data: '0x4360005260206000f3' }
const endless = { data: '0x5b600056', gas: '0x7fffffffffffffff' }

describe('a node with readers', () => {
  let node: DevNode
  beforeAll(async () => {
    const readers = { 'rpc-readers': '2', 'rpc-reader-min-milliseconds': '0' }
    node = await startDevNode({ ...readers, 'rpc-http-api': 'ETH,EVM,DEBUG', 'rpc-ws-api': 'ETH,EVM' })
  })
  afterAll(() => node.stop())

  const calledNumber = async () => Number(await node.call<string>('eth_call', [blockNumber, 'latest']))

  test('a client sees the head that it was told of, over HTTP', async () => {
    for (let i = 0; i < 20; i++) {
      await node.call('evm_mine')
      const seen = Number(await node.call<string>('eth_blockNumber'))
      expect(await calledNumber()).toBe(seen)
    }
  })

  test('a client sees the head that it was told of, over WebSocket', async () => {
    const client = await dialWs(node.wsUrl)
    const { result: heads } = await client.send('eth_subscribe', ['newHeads'])
    for (let i = 0; i < 20; i++) {
      void client.send('evm_mine')
      const { number } = (await client.next(heads)) as { number: string }
      const { result } = await client.send('eth_call', [blockNumber, 'latest'])
      expect(Number(result)).toBeGreaterThanOrEqual(Number(number))
    }
    client.close()
  })

  test('a client sees its own transactions', async () => {
    const node2 = await startDevNode({
      'rpc-readers': '1',
      'rpc-reader-min-milliseconds': '0',
      'rpc-http-api': 'ETH,ANVIL,HARDHAT',
    })
    const from = `0x${richAddress}`
    await node2.call('hardhat_impersonateAccount', [from])
    for (let i = 0; i < 5; i++) {
      const hash = await node2.call<string>('eth_sendTransaction', [{ from, data: '0x60006000a0', gas: '0x30000' }])
      const logs = await node2.call<{ transactionHash: string }[]>('eth_getLogs', [{ fromBlock: '0x0' }])
      expect(logs.at(-1)?.transactionHash).toBe(hash)
    }
    await node2.stop()
  })

  test('a batch reads one snapshot while blocks are made', async () => {
    let isDone = false
    const mining = (async () => {
      while (!isDone) await node.call('evm_mine')
    })()
    const calls = ['eth_blockNumber', 'eth_call', 'eth_blockNumber', 'eth_call'].map((method, id) => ({
      ...{ jsonrpc: '2.0', id, method, params: method === 'eth_call' ? [blockNumber, 'latest'] : [] },
    }))
    for (let i = 0; i < 20; i++) {
      const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(calls) })
      const replies = (await response.json()) as { result: string }[]
      expect(new Set(replies.map(({ result }) => Number(result))).size).toBe(1)
    }
    isDone = true
    await mining
  })

  test('what was set for the next block holds in readers', async () => {
    await node.call('evm_setNextBlockTimestamp', [4_000_000_000])
    // TIMESTAMP instead of NUMBER.
    expect(Number(await node.call<string>('eth_call', [{ data: '0x4260005260206000f3' }, 'pending']))).toBe(
      4_000_000_000,
    )
  })

  test.runIf(process.platform === 'linux')(
    'all threads of a reader run at a lower priority than the node',
    async () => {
      await calledNumber()
      const niceOf = (stat: string) =>
        Number(
          readFileSync(stat, 'latin1')
            .replace(/^.*\) /s, '')
            .split(' ')[16],
        )
      const own = niceOf('/proc/self/stat')
      const priorities = childrenOf(process.pid)
        .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('readerWorker'))
        .map((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => niceOf(`/proc/${pid}/task/${thread}/stat`)))
      // Another one may be starting.
      const lowered = priorities.find(([first]) => first! > own)
      expect(new Set(lowered)).toEqual(new Set([Math.min(own + 10, 19)]))
    },
  )

  test('a long answer comes whole', async () => {
    // A loop that counts to 3000.
    const code = '0x60005b60010180610bb811600257'
    const plain = await node.send('debug_traceCall', [{ data: code }, 'latest', {}])
    const { structLogs } = plain.result as { structLogs: { op: string }[] }
    expect(structLogs.filter(({ op }) => op === 'JUMPI')).toHaveLength(3000)
  })
})

describe('a reader that does not answer', () => {
  const dataPath = mkdtempSync(join(tmpdir(), 'quoin-readers-'))
  const clock = createManualClock(0)
  const pids: number[] = []
  const losses: ReaderLoss[] = []
  let node: DevNode
  let pool: ReturnType<typeof createReaders>

  beforeAll(async () => {
    node = await startDevNode({ 'data-path': dataPath })
    const flags = new Map([
      ['data-path', dataPath],
      ['rpc-gas-cap', '0'],
    ])
    const settings = readerSettingsOf(resolveConfig(flags, {}).config, dataPath)
    pool = createReaders(
      { max: 1, callTime: 1000, minTime: 0 },
      {
        clock,
        now: clock.now,
        heads: () => 0,
        start(listener) {
          const process = startReaderProcess(workerUrl('node/readers/readerWorker.ts'), settings, listener)
          pids.push(process.pid)
          return process
        },
        onLost: (loss) => losses.push(loss),
        onInternalError: () => {},
        onPrinted: () => {},
      },
    )
  })
  afterAll(async () => {
    pool.stop()
    await node.stop()
    rmSync(dataPath, { recursive: true, force: true })
  })

  async function ask(method: string, params: readonly unknown[]): Promise<string> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const reply = await pool.ask({ kind: 'rpc', text, method, client: 'alice', time: 300_000 })
    return String(reply?.body)
  }
  const works = async () => expect(await ask('eth_call', [blockNumber, 'latest'])).toMatch(/"result":"0x0+"/)

  test.each([
    ['eth_call', [endless, 'latest']],
    ['eth_estimateGas', [endless]],
    ['eth_createAccessList', [endless]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [endless] }] }, 'latest']],
    ['trace_call', [endless, ['trace'], 'latest']],
    ['debug_traceCall', [endless, 'latest', {}]],
  ])('an endless %s is ended by the time limit', async (method, params) => {
    await works()
    const answer = ask(method, params)
    clock.run(1000)
    await expect(answer).rejects.toThrow('TIME_LIMIT')
    await works()
  })

  test('one that is killed fails what it ran, and is replaced', async () => {
    await works()
    const before = losses.length
    const answer = ask('eth_call', [endless, 'latest'])
    const next = ask('eth_call', [blockNumber, 'latest'])
    process.kill(pids.at(-1)!, 'SIGKILL')
    await expect(answer).rejects.toThrow('READER_LOST')
    expect(await next).toContain('"result"')
    expect(losses.slice(before)).toEqual([{ pid: pids.at(-2), how: 'SIGKILL', method: 'eth_call' }])
  })

  test('one that is stopped is ended by the time limit, and is replaced', async () => {
    await works()
    process.kill(pids.at(-1)!, 'SIGSTOP')
    const answer = ask('eth_call', [blockNumber, 'latest'])
    clock.run(1000)
    await expect(answer).rejects.toThrow('TIME_LIMIT')
    await works()
  })

  test('no file is left behind', () => {
    const left = readdirSync(dataPath).includes('traces') ? readdirSync(join(dataPath, 'traces')) : []
    expect(left).toEqual([])
  })
})
