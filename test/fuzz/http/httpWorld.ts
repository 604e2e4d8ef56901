import { createCurrentView } from '../../../src/node/ports/currentView.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { systemClock } from '../../../src/primitives/clock.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import type { RpcPorts } from '../../../src/rpc/protocol/context.ts'
import { type HttpServeOptions, openHttpCalls, serveHttp } from '../../../src/rpc/server/serve.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { createSilentLogs } from '../../support/silentLogs.ts'
import { devTx, makeBlock, openTestChain, removeFolder } from '../../support/testChain.ts'
import { fixtureTls } from '../../support/tlsFixture.ts'

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

/** What holds the connections: a thread as on most networks, one that also speaks TLS, or none as on the development network. */
export const portKinds = ['thread', 'tls', 'none'] as const
export type PortKind = (typeof portKinds)[number]

const codeSize = 7000
const size = codeSize.toString(16).padStart(4, '0')
/** Init code of a contract that is large, but answered as one text. */
const large = concatBytes(fromHex(`61${size}600e60003961${size}6000f3`), new Uint8Array(codeSize).fill(1))
const receiver = hexToAddress('00000000000000000000000000000000000000aa')

export type HttpWorld = Awaited<ReturnType<typeof openHttpWorld>>

/** A real chain that is served over HTTP. */
export async function openHttpWorld(kind: PortKind) {
  const { chain, close, path } = openTestChain()
  let nonce = 0n
  const creation = devTx(nonce++, { data: large, gasLimit: 10_000_000n })
  makeBlock(chain, [creation])
  const current = createCurrentView(chain, systemClock)
  const ports: RpcPorts = { chain: current.get, client: { version: 'quoin/test', networkId: 2018n } }
  const errors: unknown[] = []
  const node = {
    ports,
    hold: current.hold,
    health: { peerCount: () => undefined, blocksBehind: () => undefined },
    onInternalError: (error: unknown) => void errors.push(error),
  }
  const held = { thread: { thread: { log: createSilentLogs() } }, tls: { tls: fixtureTls() }, none: {} }[kind]
  const server = await serveHttp({ ...options, ...held }, node)
  const direct = openHttpCalls(options, node)
  return {
    port: server.port,
    isSecure: kind === 'tls',
    /** Errors that no client has caused. */
    errors,
    /** A contract whose code is large. */
    contract: toHex(createdAddress(creation)!),
    /** An account that has received as many wei as there are blocks after the first. */
    receiver: toHex(receiver),
    height: () => Number(chain.head().header.number),
    makeBlock: () => void makeBlock(chain, [devTx(nonce++, { to: receiver, value: 1n })]),
    /** What the dispatcher answers, without any connection. */
    async answer(text: string): Promise<{ readonly status: number; readonly body: string }> {
      const { status, body } = await direct.dispatch(text, { address: '127.0.0.1', authorization: undefined })
      return { status, body: typeof body === 'string' ? body : [...body].join('') }
    },
    async close() {
      await server.close(0)
      current.close()
      await close()
      removeFolder(path)
    },
  }
}
