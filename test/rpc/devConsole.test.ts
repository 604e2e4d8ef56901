import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { runNode } from '../../src/node/runNode.ts'
import { systemClock } from '../../src/system/clock.ts'
import { createLoggers } from '../../src/system/logger.ts'

/** Passes its input on to the console. */
const printer = `0x${'b0'.repeat(20)}`
const code = '0x365f5f375f5f365f73000000000000000000636f6e736f6c652e6c6f675afa00'
const abi = parseAbi(['function log(string, uint256) view'])
const printing = (text: string) => encodeFunctionData({ abi, args: [text, 7n] })

test('what contracts print in calls and transactions is logged, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-console-'))
  const lines: { part: string; msg: string }[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number])
  const flags = {
    'data-path': folder,
    'rpc-http-port': '0',
    'rpc-ws-enabled': 'false',
    'graphql-http-enabled': 'false',
  }
  const { config } = resolveConfig(new Map(Object.entries(flags)), {})
  const node = await runNode(config, createLoggers({ level: 'info', pretty: false, color: false, write }), systemClock)
  async function call(method: string, ...params: unknown[]): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(`http://127.0.0.1:${node.places.get('jsonrpc')!.port}`, { method: 'POST', body })
    return ((await response.json()) as { result: string }).result
  }
  await call('hardhat_setCode', printer, code)
  const request = (text: string) => ({ from: printer, to: printer, data: printing(text) })
  await call('eth_call', { to: printer }, 'latest')
  expect(await call('eth_call', request('call'), 'latest')).toBe('0x')
  await call('eth_call', request('again'), 'latest')
  await call('eth_call', request('override'), 'latest', { [printer]: { balance: '0x1' } })
  await call('eth_estimateGas', request('estimate'))
  await call('hardhat_impersonateAccount', printer)
  await call('eth_sendTransaction', request('mined'))
  const printed = lines.filter(({ part }) => part === 'console').map(({ msg }) => msg)
  expect(printed).toEqual(['call 7', 'again 7', 'override 7', 'mined 7'])
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
})
