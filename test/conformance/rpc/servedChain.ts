import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChain } from '../../../src/chain/chain.ts'
import { createConsensus } from '../../../src/consensus/createConsensus.ts'
import { createEngine } from '../../../src/evm/engine.ts'
import { createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { createCurrentView } from '../../../src/node/currentView.ts'
import { poolHeadOf } from '../../../src/node/poolHead.ts'
import { defaultPoolOptions } from '../../../src/pool/options.ts'
import { createPool } from '../../../src/pool/pool.ts'
import { systemClock } from '../../../src/primitives/clock.ts'
import type { RpcContext } from '../../../src/rpc/context.ts'
import { createFilters } from '../../../src/rpc/filters.ts'
import { serveHttp } from '../../../src/rpc/serve.ts'
import { createStateStore } from '../../../src/state/stateStore.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { readBlocks } from './readBlocks.ts'

/** A chain behind a JSON-RPC server. */
export interface ServedChain {
  readonly url: string
  close(): Promise<void>
}

export interface ServedChainOptions {
  readonly genesis: unknown
  /** Concatenated block RLPs. */
  readonly blocks: Uint8Array
  readonly networkId?: bigint
  readonly minGasPrice?: bigint
  /** The head counts as safe and final. */
  readonly final?: boolean
}

const namespaces = [
  ...['ADMIN', 'CLIQUE', 'DEBUG', 'EEA', 'ETH', 'IBFT', 'MINER', 'NET', 'PERM', 'PLUGINS', 'PRIV', 'QBFT', 'TRACE'],
  ...['TXPOOL', 'WEB3'],
]

/** Imports blocks into a fresh data directory and serves them, with no peers and nobody who makes further blocks. */
export async function serveChain(options: ServedChainOptions): Promise<ServedChain> {
  const { minGasPrice = 1000n } = options
  const folder = mkdtempSync(join(tmpdir(), 'quoin-conformance-'))
  const spec = createChainSpec(toGenesisFile(options.genesis))
  const isBft = spec.consensus.kind === 'qbft'
  // The blocks are given: whether the clock of this machine has come to them does not matter.
  const consensus = createConsensus(spec, { clock: { ...systemClock, now: () => Date.UTC(2100, 0) } })
  const store = openStore(folder)
  const states = createStateStore(store)
  const chain = createChain({ spec, store, states, consensus, evm: createEngine('fast') })
  for (const block of readBlocks(options.blocks)) if (block.header.number > 0n) chain.importBlock(block)
  if (options.final) {
    const view = chain.view()
    chain.setMark('safe', view.head.hash)
    chain.setMark('finalized', view.head.hash)
    view.close()
  }
  const current = createCurrentView(chain, systemClock)
  const head = poolHeadOf(current.get())
  const pool = createPool(defaultPoolOptions, { head: () => head, mining: () => ({ enabled: false, minGasPrice }) })
  const context: Partial<RpcContext> = {
    chain: current.get(),
    client: { version: 'quoin', networkId: options.networkId ?? spec.chainId },
    evm: { fast: createEngine('fast'), trace: createEngine('trace') },
    filters: createFilters(systemClock.now),
    limits: { maxLogsRange: 1000n, gasPrice: { blocks: 100, percentile: 50, max: 500_000_000_000n } },
    mining: {
      isMining: () => isBft,
      start: () => false,
      stop: () => false,
      coinbase: () => undefined,
      minGasPrice: () => minGasPrice,
      setMinGasPrice: () => {},
      minPriorityFee: () => 0n,
      setMinPriorityFee: () => {},
      setTargetGasLimit: () => false,
    },
    peers: { isListening: () => true, count: () => 0, enode: () => undefined },
    pool: { ...pool, submit: ({ tx, sidecar }) => pool.add(tx, { local: true, now: Date.now(), sidecar }) },
    services: {
      places: () => new Map(['jsonrpc', 'ws', 'p2p'].map((name) => [name, { host: '127.0.0.1', port: 0 }])),
    },
    sync: { status: () => undefined },
  }
  const server = await serveHttp(
    {
      host: '127.0.0.1',
      port: 0,
      namespaces,
      maxBatch: 1024,
      maxBody: 5_242_880,
      maxConnections: 80,
      hostAllowlist: ['localhost', '127.0.0.1'],
      corsOrigins: [],
      timeout: 300_000,
      pretty: false,
    },
    {
      context,
      health: { peerCount: () => 0, blocksBehind: () => undefined },
      // The case shows it: the answer is -32603.
      onInternalError: () => {},
    },
  )
  return {
    url: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.close(0)
      current.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
