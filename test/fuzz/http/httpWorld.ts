import type { ChainView } from '../../../src/chain/view.ts'
import { createCurrentView } from '../../../src/node/ports/currentView.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { systemClock } from '../../../src/primitives/clock.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import type { RpcPorts } from '../../../src/rpc/protocol/context.ts'
import { type HttpServeOptions, openHttpCalls, openWsCalls, serveHttp, serveWs } from '../../../src/rpc/server/serve.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { devTx, makeBlock, openTestChain, removeFolder } from '../../support/testChain.ts'
import { fixtureTls } from '../../support/tlsFixture.ts'
import type { HttpReply } from './httpReplies.ts'

const maxBody = 5_242_880

const options: HttpServeOptions = {
  host: '127.0.0.1',
  port: 0,
  namespaces: ['ETH', 'NET', 'WEB3'],
  maxBatch: 1024,
  hostAllowlist: ['*'],
  corsOrigins: [],
  maxConnections: 80,
  maxBody,
  timeout: 300_000,
  gasCap: 50_000_000n,
  pretty: false,
}

/** What clients speak. */
export const portKinds = ['http', 'https', 'ws', 'wss'] as const
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
  const isSecure = kind === 'https' || kind === 'wss'
  const held = isSecure ? { tls: fixtureTls() } : {}
  const isWebSocket = kind === 'ws' || kind === 'wss'
  const noSession = () => ({
    subscribe: () => 0n,
    open: () => 0n,
    unsubscribe: () => false,
    count: () => 0,
    close: () => {},
  })
  const server = isWebSocket
    ? await serveWs({ ...options, ...held, maxMessage: maxBody }, { ...node, openSession: noSession })
    : await serveHttp({ ...options, ...held }, node)

  /** Views of one answer: what reads the chain for comparison keeps nothing from one question to the next. */
  const views: ChainView[] = []
  function openView(): ChainView {
    const view = chain.openView(() => {})
    views.push(view)
    return view
  }
  const plain = { ...node, hold: undefined, ports: { ...ports, chain: openView } }
  const overHttp = openHttpCalls(options, plain)
  const anybody = { address: '127.0.0.1', authorization: undefined }
  const overWs = openWsCalls(options, { ...plain, openSession: noSession }).connect(() => {}, undefined, anybody)
  let last: Promise<unknown> = Promise.resolve()
  async function answerOnce(text: string): Promise<HttpReply> {
    const { status, body } = await (isWebSocket ? overWs.dispatch(text) : overHttp.dispatch(text, anybody))
    const whole = typeof body === 'string' ? body : [...body].join('')
    for (const view of views.splice(0)) view.close()
    return { status, body: whole }
  }
  return {
    port: server.port,
    isSecure,
    isWebSocket,
    /** Errors that no client has caused. */
    errors,
    /** A contract whose code is large. */
    contract: toHex(createdAddress(creation)!),
    /** An account that has received as many wei as there are blocks after the first. */
    receiver: toHex(receiver),
    height: () => Number(chain.head().header.number),
    makeBlock: () => void makeBlock(chain, [devTx(nonce++, { to: receiver, value: 1n })]),
    /** What a node answers that keeps nothing, without any connection. */
    answer(text: string): Promise<HttpReply> {
      const next = last.then(() => answerOnce(text))
      last = next.catch(() => {})
      return next
    },
    async close() {
      await server.close(0)
      current.close()
      await close()
      removeFolder(path)
    },
  }
}
