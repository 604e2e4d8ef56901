import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChain } from '../../../src/chain/createChain.ts'
import { createConsensus } from '../../../src/consensus/createConsensus.ts'
import { createVotes } from '../../../src/consensus/voting/votes.ts'
import { createEvm } from '../../../src/evm/createEvm.ts'
import { createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { serveGraphql } from '../../../src/graphql/serve.ts'
import type { Listening } from '../../../src/http/listen.ts'
import { metricTree } from '../../../src/metrics/metricTree.ts'
import { authorityPorts } from '../../../src/node/ports/authorityPorts.ts'
import { createCurrentView } from '../../../src/node/ports/currentView.ts'
import { createOperatorPorts } from '../../../src/node/ports/operatorPorts.ts'
import { createPermissionsPort } from '../../../src/node/ports/permissionsPort.ts'
import { poolHeadOf } from '../../../src/node/ports/poolHead.ts'
import { createTraceFolder } from '../../../src/node/ports/traceFolder.ts'
import { createPool } from '../../../src/pool/createPool.ts'
import { defaultPoolOptions } from '../../../src/pool/options.ts'
import { zeroAddress } from '../../../src/primitives/bytes.ts'
import { createEvms } from '../../../src/query/evms.ts'
import { defaultGasCap } from '../../../src/query/requestBudget.ts'
import { createFilters } from '../../../src/rpc/events/filters.ts'
import type { RpcPorts } from '../../../src/rpc/protocol/context.ts'
import { serveHttp } from '../../../src/rpc/server/serve.ts'
import { createPublicState } from '../../../src/state/publicState.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { systemClock } from '../../../src/system/clock.ts'
import type { NetworkTx } from '../../../src/types/blobSidecar.ts'
import { calmState } from '../../support/calmState.ts'
import { createSilentLogs } from '../../support/silentLogs.ts'
import { readBlocks } from './readBlocks.ts'
import { serveReaders } from './servedReaders.ts'

/** A chain behind a JSON-RPC server. */
export interface ServedChain {
  readonly url: string
  /** Serves GraphQL too; its address. */
  serveGraphql(longAsHex: boolean): Promise<string>
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

const address = { host: '127.0.0.1', port: 0 }
const hostAllowlist = ['localhost', '127.0.0.1']
const prices = { blocks: 100, percentile: 50, max: 500_000_000_000n }
const limits = { maxLogsRange: 1000n, gasPrice: prices, allowsScripts: true }

/** Imports blocks into a fresh data directory and serves them, with no peers and nobody who makes further blocks. */
export async function serveChain(options: ServedChainOptions): Promise<ServedChain> {
  const { minGasPrice = 1000n } = options
  const folder = mkdtempSync(join(tmpdir(), 'quoin-conformance-'))
  const spec = createChainSpec(toGenesisFile(options.genesis))
  const isBft = spec.consensus.kind === 'qbft'
  // The blocks are given: whether the clock of this machine has come to them does not matter.
  const consensus = createConsensus(spec, { clock: { ...systemClock, now: () => Date.UTC(2100, 0) } })
  const store = openStore(join(folder, 'database'))
  const states = createPublicState(store)
  const chain = createChain({ spec, store, states, consensus, evm: createEvm('fast') })
  for (const block of readBlocks(options.blocks)) if (block.header.number > 0n) chain.importBlock(block)
  if (options.final) {
    const { hash } = chain.head()
    chain.setMark('safe', hash)
    chain.setMark('finalized', hash)
  }
  const current = createCurrentView(chain, systemClock)
  const head = poolHeadOf(current.get())
  const pool = createPool(defaultPoolOptions, { head: () => head, mining: () => ({ enabled: false, minGasPrice }) })
  const submit = ({ tx, sidecar }: NetworkTx) => pool.add(tx, { local: true, now: Date.now(), sidecar })
  const evms = createEvms({ beneficiaryOf: consensus.beneficiary, rewardOf: consensus.reward })
  const operator = createOperatorPorts({
    ...{ chain, store, states, consensus, address: zeroAddress, historyBlocks: 0, indexLogs: true, clock: systemClock },
    log: createSilentLogs(),
  })
  const ports: RpcPorts = {
    ...authorityPorts(spec, consensus, createVotes()),
    chain: current.get,
    client: { version: 'quoin', networkId: options.networkId ?? spec.chainId },
    evms,
    filters: createFilters(systemClock.now),
    limits,
    mining: {
      isMining: () => isBft,
      start: () => false,
      stop: () => false,
      coinbase: () => undefined,
      minGasPrice: () => minGasPrice,
      setMinGasPrice: () => {},
      minPriorityFee: () => 0n,
      setMinPriorityFee: () => {},
      extraData: () => new Uint8Array(0),
      setExtraData: () => {},
      setTargetGasLimit: () => false,
    },
    peers: {
      isListening: () => true,
      count: () => 0,
      enode: () => undefined,
      permits: () => true,
      add: () => true,
      remove: () => false,
      list: () => [],
      nodeInfo: () => ({
        enode: '',
        listenAddress: undefined,
        ip: '127.0.0.1',
        id: new Uint8Array(64),
        discoveryPort: undefined,
        listenerPort: undefined,
      }),
    },
    permissions: createPermissionsPort({
      ...{ accounts: undefined, nodes: undefined },
      contracts: { accounts: undefined, nodes: undefined, nodesVersion: 1 },
      log: createSilentLogs(),
    }),
    pool: { ...pool, submit },
    services: {
      places: () => new Map(['jsonrpc', 'ws', 'p2p'].map((name) => [name, { host: '127.0.0.1', port: 0 }])),
    },
    sync: { status: () => undefined },
    ...operator.ports,
    logging: { setLevel: () => {} },
    metrics: { tree: () => metricTree([]) },
    unsigned: undefined,
    traces: createTraceFolder(folder, systemClock),
  }
  const readers = serveReaders(folder, options.genesis, { limits, gasCap: defaultGasCap, longAsHex: false })
  const server = await serveHttp(
    {
      ...address,
      namespaces,
      maxBatch: 1024,
      maxBody: 5_242_880,
      maxConnections: 80,
      hostAllowlist,
      corsOrigins: [],
      timeout: 300_000,
      gasCap: defaultGasCap,
      pretty: false,
    },
    {
      ports,
      readers,
      health: { peerCount: () => 0, blocksBehind: () => undefined, state: () => calmState },
      // The case shows it: the answer is -32603.
      onInternalError: () => {},
    },
  )
  const servers: Listening[] = [server]
  const pools = [readers]
  return {
    url: `http://127.0.0.1:${server.port}`,
    async serveGraphql(longAsHex) {
      const own = serveReaders(folder, options.genesis, { limits, gasCap: defaultGasCap, longAsHex })
      pools.push(own)
      const graphql = await serveGraphql(
        { ...address, maxConnections: 80, timeout: 300_000, longAsHex, hostAllowlist, corsOrigins: [], pretty: false },
        {
          chain: current.get,
          evm: evms.fast,
          pool: { ...pool, submit },
          prices,
          minGasPrice: () => minGasPrice,
          syncStatus: () => undefined,
          now: () => performance.now(),
          readers: own,
          onInternalError: (error) => process.stderr.write(`${String(error)}\n`),
        },
      )
      servers.push(graphql)
      return `http://127.0.0.1:${graphql.port}`
    },
    async close() {
      await Promise.all(servers.map((one) => one.close(0)))
      for (const pool of pools) pool?.stop()
      operator.stop()
      current.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
