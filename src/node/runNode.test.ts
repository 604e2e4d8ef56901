import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import { resolveConfig } from '../config/resolveConfig.ts'
import { systemClock } from '../primitives/clock.ts'
import { runNode } from './runNode.ts'

let folder: string
let taken: Server
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-node-'))
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(options: Readonly<Record<string, string>>) {
  const ports = { 'rpc-http-port': '0', 'rpc-ws-port': '0', 'graphql-http-port': '0', 'metrics-port': '0' }
  const flags = new Map(Object.entries({ 'data-path': folder, ...ports, ...options }))
  return runNode(resolveConfig(flags, {}).config, createSilentLogs(), systemClock)
}

test.each([
  ['rpc-ws', 'ws'],
  ['graphql-http', 'graphql'],
  ['metrics', 'metrics'],
])('a node whose %s port is in use stops what it has started, and can start afterwards', async (option, service) => {
  const port = String((taken.address() as AddressInfo).port)
  const enabled = { [`${option}-enabled`]: 'true' }
  await expect(start({ ...enabled, [`${option}-port`]: port })).rejects.toThrow(`Port(s) '[${port}]' already in use`)
  const node = await start(enabled)
  expect([...node.places.keys()]).toContain(service)
  await node.stop()
})
