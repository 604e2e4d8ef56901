import type { ChainView } from '../../src/chain/view.ts'
import { createEvm } from '../../src/evm/createEvm.ts'
import { createExecutor, type ExecutorPorts, type QueryReply } from '../../src/graphql/execute.ts'
import { createCurrentView } from '../../src/node/ports/currentView.ts'
import { poolHeadOf } from '../../src/node/ports/poolHead.ts'
import { createPool } from '../../src/pool/createPool.ts'
import { defaultPoolOptions } from '../../src/pool/options.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { createTrialEvm } from '../../src/query/trialEvm.ts'
import { systemClock } from '../../src/system/clock.ts'
import { devKey, openTestChain, removeFolder, type TestChain } from './testChain.ts'

/** Stores 42 in slot 0, logs it under the topic that it is called with, and returns it. */
const runtime = '602a600055602a60005260003560206000a160206000f3'
export const initCode = fromHex(`6017600c60003960176000f3${runtime}`)
export const sender = privateKeyToAddress(devKey)

/** Address of the contract that the n-th transaction of the sender creates. */
export function contractAt(nonce: number): Address {
  return keccak256(encodeRlp([sender, scalar(nonce)])).subarray(12) as Address
}

/** A chain that answers queries. */
export interface GraphqlChain extends TestChain {
  readonly ports: ExecutorPorts
  /** Errors that no query should cause. */
  readonly internalErrors: unknown[]
  /** Whole reply to a query. */
  ask(query: string, variables?: Record<string, unknown>, operationName?: string): Promise<QueryReply>
  /** What the query was for; errors are thrown. */
  data<T>(query: string, variables?: Record<string, unknown>): Promise<T>
}

export interface GraphqlChainOptions {
  readonly longAsHex?: boolean
  readonly ports?: Partial<ExecutorPorts>
  /** Stands before the chain that queries read. */
  readonly watch?: (view: ChainView) => ChainView
  readonly limits?: { readonly values: number; readonly time: number }
  readonly gasCap?: bigint
}

export function openGraphqlChain(options: GraphqlChainOptions = {}): GraphqlChain {
  const opened = openTestChain()
  const current = createCurrentView(opened.chain, systemClock)
  const { watch = (view) => view } = options
  const pool = createPool(defaultPoolOptions, {
    head: () => poolHeadOf(current.get()),
    mining: () => ({ enabled: false, minGasPrice: 0n }),
  })
  const internalErrors: unknown[] = []
  const ports: ExecutorPorts = {
    chain: () => watch(current.get()),
    evm: createTrialEvm(createEvm('fast')),
    pool: { ...pool, submit: ({ tx, sidecar }) => pool.add(tx, { local: true, now: 0, sidecar }) },
    prices: { blocks: 100, percentile: 50, max: 500_000_000_000n },
    minGasPrice: () => 7n,
    syncStatus: () => undefined,
    now: () => 0,
    onInternalError: (error) => internalErrors.push(error),
    ...options.ports,
  }
  const { longAsHex = false, limits, gasCap } = options
  const run = createExecutor({ longAsHex, ...(limits && { limits }), ...(gasCap && { gasCap }) }, ports)
  const ask: GraphqlChain['ask'] = async (query, variables, operationName) => run({ query, variables, operationName })
  return {
    ...opened,
    ports,
    internalErrors,
    ask,
    async data<T>(query: string, variables?: Record<string, unknown>) {
      const { status, body } = await ask(query, variables)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return (body as { data: T }).data
    },
    async close() {
      current.close()
      await opened.close()
      removeFolder(opened.path)
    },
  }
}
