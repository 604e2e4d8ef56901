import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { lastErrorOf } from './lastError.ts'
import type { NetworkPlan } from './networkPlan.ts'
import { networkLines } from './networkSummary.ts'
import { askNode } from './nodeReport.ts'
import { restartCommand } from './restartCommand.ts'

const address = '0x9885cd1b1b3d4c5e6f708192a3b4c5d6e7f80912'
const enode = (id: string) => `enode://${id}@127.0.0.1:30303`
const plan: NetworkPlan = {
  consensus: 'qbft',
  period: 1,
  basePort: 28_545,
  nodes: [enode('aa'), enode('bb'), enode('cc')].map((url) => ({ address, enode: url })),
}

test('the status of a node fits into 80 columns, and comes first', () => {
  const lines = networkLines(plan, [
    { state: 'up', head: 1_234_567, peers: 12 },
    { state: 'starting' },
    { state: 'down', reason: 'killed by SIGKILL', restartsIn: 3200 },
  ])
  expect(lines).toEqual([
    '  node0  block 1234567  12 peers  http 28545  ws 28546  graphql 28547  0x9885…',
    '  node1  starting  http 28555  ws 28556  graphql 28557  0x9885…',
    '  node2  down (killed by SIGKILL), starts again in 4 s',
  ])
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
  const answer = (result: unknown) => ({ jsonrpc: '2.0', result })
  const server = createServer((_, response) =>
    response.end(JSON.stringify([enode('aa'), '0x33', '0x3'].map(answer))),
  ).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await askNode(url, enode('aa'))).toEqual({ head: 51, peers: 3 })
  expect(await askNode(url, enode('bb'))).toBeUndefined()
  server.close()
  server.closeAllConnections()
})

test('the command that starts the network again is the one that started it', () => {
  expect(restartCommand('/tmp/net', { npm_lifecycle_event: 'start' })).toBe('npm start -- network --dir /tmp/net')
  expect(restartCommand('/tmp/net', { npm_command: 'exec' })).toBe('npx quoin network --dir /tmp/net')
  expect(restartCommand('/tmp/my net', {})).toBe("bin/quoin network --dir '/tmp/my net'")
})
