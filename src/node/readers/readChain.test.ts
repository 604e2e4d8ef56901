import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { devChainOf } from '../../chainData/devChain.ts'
import { loadNetwork } from '../../chainData/network.ts'
import { openChain } from '../../chainData/openChain.ts'
import { resolveConfig } from '../../config/resolveConfig.ts'
import { openReadChain } from './readChain.ts'

let dataPath: string
beforeEach(() => {
  dataPath = mkdtempSync(join(tmpdir(), 'quoin-read-chain-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(dataPath, { recursive: true, force: true })
})

test('a view stays open while a request reads it, and is closed some time after the last one', async () => {
  const network = loadNetwork(undefined, undefined, devChainOf(resolveConfig(new Map(), {}).config))
  const open = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
  const chain = openReadChain(dataPath, network)
  const first = chain.viewAt(0)
  chain.rest()
  vi.advanceTimersByTime(150)
  expect(chain.viewAt(0) === first).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(chain.viewAt(0) === first).toBe(true)
  expect(first.headerAt(0n)?.header.number).toBe(0n)
  chain.rest()
  vi.advanceTimersByTime(1000)
  expect(chain.viewAt(0) === first).toBe(false)
  chain.rest()
  vi.advanceTimersByTime(1000)
  await open.close()
})
