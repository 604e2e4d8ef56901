import { createCurrentView } from '../../src/node/ports/currentView.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'
import { systemClock } from '../../src/primitives/clock.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import type { RpcPorts } from '../../src/rpc/protocol/context.ts'
import { type HttpServeOptions, serveHttp } from '../../src/rpc/server/serve.ts'
import { createdAddress } from '../../src/types/createdAddress.ts'
import { createHeardLogs } from '../support/heardLogs.ts'
import { devTx, makeBlock, openTestChain, removeFolder } from '../support/testChain.ts'

const options: HttpServeOptions = {
  host: '127.0.0.1',
  port: 0,
  namespaces: ['ETH', 'NET', 'WEB3'],
  maxBatch: 1024,
  hostAllowlist: ['*'],
  corsOrigins: [],
  maxConnections: 80,
  maxBody: 5_242_880,
  timeout: 300_000,
  gasCap: 50_000_000n,
  pretty: false,
}

const codeSize = 7000
const size = codeSize.toString(16).padStart(4, '0')
/** Init code of a contract that is large, but answered as one text. */
const large = concatBytes(fromHex(`61${size}600e60003961${size}6000f3`), new Uint8Array(codeSize).fill(1))

/** A real chain that is served over HTTP; as on most networks a thread of its own holds the connections. */
export async function openHttpWorld() {
  const { chain, close, path } = openTestChain()
  const creation = devTx(0n, { data: large, gasLimit: 10_000_000n })
  makeBlock(chain, [creation])
  const current = createCurrentView(chain, systemClock)
  const ports: RpcPorts = { chain: current.get, client: { version: 'quoin/test', networkId: 2018n } }
  const errors: unknown[] = []
  const server = await serveHttp(
    { ...options, thread: { log: createHeardLogs() } },
    {
      ports,
      hold: current.hold,
      health: { peerCount: () => undefined, blocksBehind: () => undefined },
      onInternalError: (error) => void errors.push(error),
    },
  )
  return {
    chain,
    ports,
    port: server.port,
    /** Errors that no client has caused. */
    errors,
    /** A contract whose code is large. */
    contract: toHex(createdAddress(creation)!),
    async close() {
      await server.close(0)
      current.close()
      await close()
      removeFolder(path)
    },
  }
}
