import { type ProcessUse, watchProcess } from '../import/processUse.ts'
import { createClient, until } from '../rpc/client.ts'
import type { PreparedChain } from './preparedChain.ts'
import type { SyncClient } from './syncClients.ts'

/** What it took to fetch a chain from a peer and to run it. */
export interface SyncResult extends ProcessUse {
  readonly seconds: number
}

/** Milliseconds between looks at how far it is. */
const lookEvery = 50
/** Seconds that it may take. */
const patience = 3600

/**
 * Has one node fetch the chain from another of its kind. Time counts from when it has begun: geth waits for more peers
 * before it takes a single one.
 */
export async function measureSync(client: SyncClient, chain: PreparedChain, data: string): Promise<SyncResult> {
  const server = await client.serve(chain)
  try {
    const { enode } = await createClient(server.url).call<{ enode: string }>('admin_nodeInfo')
    const node = await client.begin(chain, data)
    const watch = watchProcess(node.pid)
    try {
      const { call } = createClient(node.url)
      await call('admin_addPeer', enode.replace(/@.*/, `@127.0.0.1:${server.p2pPort}`))
      await until(async () => (await call('eth_syncing')) !== false || (await call('eth_blockNumber')) !== '0x0', 120)
      const started = performance.now()
      const head = `0x${chain.blocks.toString(16)}`
      for (const end = started + 1000 * patience; (await call('eth_blockNumber')) !== head; ) {
        if (performance.now() > end) throw new Error(`${client.name} does not come to its end in ${patience} s`)
        await new Promise((resolve) => setTimeout(resolve, lookEvery))
      }
      const seconds = (performance.now() - started) / 1000
      const { hash } = await call<{ hash: string }>('eth_getBlockByNumber', head, false)
      if (hash !== chain.head) throw new Error(`${client.name} came to ${hash}, not to ${chain.head}`)
      return { seconds, ...watch.stop() }
    } finally {
      watch.stop()
      await node.stop()
    }
  } finally {
    await server.stop()
  }
}
