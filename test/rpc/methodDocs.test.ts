import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { rpcPage } from '../../src/rpc/docs.ts'
import { methods } from '../../src/rpc/methods/all.ts'
import { dialWs, type RpcReply } from '../support/devNode.ts'
import { type Nodes, startNodes } from '../support/engineNodes.ts'

let nodes: Nodes

beforeAll(async () => {
  nodes = await startNodes()
})
afterAll(() => nodes.stop())

test('docs/rpc.md is what `npm run docs` makes', () => {
  expect(readFileSync(join(packageRoot, 'docs/rpc.md'), 'utf8')).toBe(rpcPage())
})

const page = rpcPage()
const examplesOf = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, request]) => request!)
/** Answers that the page announces: nothing to find on a fresh network, no peers, no work, no list of accesses, no group of private transactions. */
const announced = [-32000, -32001, -32604, -50100]

function judge(request: string, { result, error }: RpcReply): void {
  if (error) expect(announced, `${request}: ${error.code} ${error.message}`).toContain(error.code)
  else expect(result, request).toBeDefined()
}

test('every method has an example that runs', async () => {
  const overHttp = examplesOf(/curl -s http:\/\/127\.0\.0\.1:8545 --data '(.*)'/g)
  const overWs = examplesOf(/npx wscat .* -x '(.*)'/g)
  const named = [...overHttp, ...overWs].map((request) => (JSON.parse(request) as { method: string }).method)
  expect(named).toEqual(expect.arrayContaining(methods.map(({ name }) => name)))
  for (const request of overHttp) {
    const { method } = JSON.parse(request) as { method: string }
    const response = await fetch(nodes.of(method).url, { method: 'POST', body: request })
    judge(request, (await response.json()) as RpcReply)
  }
  for (const request of overWs) {
    const { method, params } = JSON.parse(request) as { method: string; params: unknown[] }
    const ws = await dialWs(nodes.of(method).wsUrl)
    judge(request, await ws.send(method, params))
    ws.close()
  }
})
