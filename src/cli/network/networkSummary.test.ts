import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calmState } from '../../../test/support/calmState.ts'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { lastErrorOf } from './lastError.ts'
import type { NetworkPlan } from './networkPlan.ts'
import { networkLines, stateLines } from './networkSummary.ts'
import { askNode } from './nodeReport.ts'
import { restartCommand } from './restartCommand.ts'

const address = '0x9885cd1b1b3d4c5e6f708192a3b4c5d6e7f80912'
const enode = (id: string) => `enode://${id}@127.0.0.1:30303`
const plan: NetworkPlan = {
  consensus: 'qbft',
  period: 1,
  basePort: 28_545,
  nodes: [enode('aa'), enode('bb'), enode('cc'), enode('dd')].map((url) => ({ address, enode: url })),
}

test('the status of a node fits into 80 columns, and comes first', () => {
  const lines = networkLines(plan, [
    { state: 'up', network: { ...calmState, head: 1_234_567, peers: 12 } },
    { state: 'starting' },
    { state: 'silent', seconds: 12 },
    { state: 'down', reason: 'killed by SIGKILL', restartsIn: 3200 },
  ])
  expect(lines).toEqual([
    '  node0  block 1234567  12 peers  http 28545  ws 28546  graphql 28547  0x9885…',
    '  node1  starting  http 28555  ws 28556  graphql 28557  0x9885…',
    '  node2  silent for 12 s  http 28565  ws 28566  graphql 28567  0x9885…',
    '  node3  down (killed by SIGKILL), starts again in 4 s',
  ])
  for (const line of lines) expect(line.length).toBeLessThan(80)
})

test('the state of the network stands below, in lines that fit', () => {
  expect(stateLines(calmState, 80)).toEqual(['  ✓ blocks are made, one every 1 s'])
  const summary = 'no block for 12 s: round 1: 2 of 3 needed validators heard, waiting for node2, node3, node4, node5'
  const problem = { code: 'noBlocks', level: 'error', text: summary, advice: '', about: undefined } as const
  const lines = stateLines({ ...calmState, level: 'error', summary, problems: [problem, problem] }, 80)
  expect(lines).toHaveLength(2)
  expect(lines.join(' ').replace(/ +/g, ' ').trim()).toBe(`✗ ${summary} (and 1 more: see the explorer)`)
  for (const line of lines) expect(line.length).toBeLessThan(80)
})

test('the last error of a log is told as text, also if other lines follow it', () =>
  withTempFolder((folder) => {
    const log = join(folder, 'node.log')
    const record = (level: string, msg: string, more = {}) => `${JSON.stringify({ level, msg, ...more })}\n`
    const old = record('error', 'of an earlier run')
    const head = record('info', 'new head')
    writeFileSync(log, old + head)
    expect(lastErrorOf(log, old.length)).toBeUndefined()
    writeFileSync(log, old + record('error', 'import failed', { error: 'disk full' }) + head)
    expect(lastErrorOf(log, old.length)).toBe('import failed: disk full')
    writeFileSync(log, `${old + head}Port(s) '[1]' already in use.\n    at a stack\n`)
    expect(lastErrorOf(log, old.length)).toBe("Port(s) '[1]' already in use.")
  }))

test('only the answer of the node itself counts', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(calmState))).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await askNode(url, calmState.address)).toEqual(calmState)
  expect(await askNode(url, address)).toBeUndefined()
  server.close()
  server.closeAllConnections()
})

test('the command that starts the network again is the one that started it', () => {
  expect(restartCommand('/tmp/net', { npm_lifecycle_event: 'start' })).toBe('npm start -- network --dir /tmp/net')
  expect(restartCommand('/tmp/net', { npm_command: 'exec' })).toBe('npx quoin network --dir /tmp/net')
  expect(restartCommand('/tmp/my net', {})).toBe("bin/quoin network --dir '/tmp/my net'")
})
