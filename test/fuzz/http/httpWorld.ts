import type { ChainView } from '../../../src/chain/view.ts'
import { createCurrentView } from '../../../src/node/ports/currentView.ts'
import { concatBytes } from '../../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import type { RpcPorts } from '../../../src/rpc/protocol/context.ts'
import { type HttpServeOptions, openHttpCalls, openWsCalls, serveHttp, serveWs } from '../../../src/rpc/server/serve.ts'
import { systemClock } from '../../../src/system/clock.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { calmState } from '../../support/calmState.ts'
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

export const speaksWs = (kind: PortKind) => kind === 'ws' || kind === 'wss'
export const isEncrypted = (kind: PortKind) => kind === 'https' || kind === 'wss'

const codeSize = 7000
const size = codeSize.toString(16).padStart(4, '0')
/** Init code of a contract that is large, but answered as one text. */
const large = concatBytes(fromHex(`61${size}600e60003961${size}6000f3`), new Uint8Array(codeSize).fill(1))
export const receiver = hexToAddress('00000000000000000000000000000000000000aa')

export function createCounter(): Pick<HttpWorld, 'count' | 'answers'> {
  let answers = 0
  return { count: (calls) => void (answers += calls), answers: () => answers }
}

export const creation = (nonce: bigint) => devTx(nonce, { data: large, gasLimit: 10_000_000n })
export const donation = (nonce: bigint) => devTx(nonce, { to: receiver, value: 1n })

/** A real chain that is served to clients. */
export interface HttpWorld {
  readonly port: number
  readonly isSecure: boolean
  readonly isWebSocket: boolean
  /** What no client has caused. */
  faults(): readonly string[]
  /** A contract whose code is large. */
  readonly contract: string
  /** An account that has received as many wei as there are blocks after the first. */
  readonly receiver: string
  height(): number
  /** A height that all answers from now on know. */
  knownHeight(): number
  makeBlock(): void
  /** What a node answers that keeps nothing, without any connection. */
  answer(text: string): Promise<HttpReply>
  /** Counts calls that were answered rightly. */
  count(calls: number): void
  answers(): number
  close(): Promise<void>
}

const noSession = () => ({
  subscribe: () => 0n,
  open: () => 0n,
  unsubscribe: () => false,
  count: () => 0,
  close: () => {},
})

/** Answers from views of their own, which keep nothing from one question to the next. */
export function createReference(openView: () => ChainView, networkId: bigint, isWebSocket: boolean) {
  const views: ChainView[] = []
  function chain(): ChainView {
    const view = openView()
    views.push(view)
    return view
  }
  const node = {
    ports: { chain, client: { version: 'quoin/test', networkId } },
    health: { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState },
    onInternalError(error: unknown) {
      throw error
    },
  }
  const overHttp = openHttpCalls(options, node)
  const anybody = { address: '127.0.0.1', authorization: undefined }
  const overWs = openWsCalls(options, { ...node, openSession: noSession }).connect(() => {}, undefined, anybody)
  let last: Promise<unknown> = Promise.resolve()
  async function answerOnce(text: string): Promise<HttpReply> {
    const { status, body } = await (isWebSocket ? overWs.dispatch(text) : overHttp.dispatch(text, anybody))
    const whole = typeof body === 'string' ? body : [...body].join('')
    for (const view of views.splice(0)) view.close()
    return { status, body: whole }
  }
  return (text: string): Promise<HttpReply> => {
    const next = last.then(() => answerOnce(text))
    last = next.catch(() => {})
    return next
  }
}

/** A chain that is served by the thread which makes its blocks. */
export async function openHttpWorld(kind: PortKind): Promise<HttpWorld> {
  const { chain, close, path } = openTestChain()
  let nonce = 0n
  const created = creation(nonce++)
  makeBlock(chain, [created])
  const current = createCurrentView(chain, systemClock)
  const networkId = 2018n
  const ports: RpcPorts = { chain: current.get, client: { version: 'quoin/test', networkId } }
  const errors: unknown[] = []
  const node = {
    ports,
    hold: current.hold,
    health: { peerCount: () => undefined, blocksBehind: () => undefined, state: () => calmState },
    onInternalError: (error: unknown) => void errors.push(error),
  }
  const isWebSocket = speaksWs(kind)
  const isSecure = isEncrypted(kind)
  const held = isSecure ? { tls: fixtureTls() } : {}
  const server = isWebSocket
    ? await serveWs({ ...options, ...held, maxMessage: maxBody }, { ...node, openSession: noSession })
    : await serveHttp({ ...options, ...held }, node)
  const height = () => Number(chain.head().header.number)
  return {
    port: server.port,
    isSecure,
    isWebSocket,
    faults: () => errors.map(String),
    contract: toHex(createdAddress(created)!),
    receiver: toHex(receiver),
    height,
    knownHeight: height,
    makeBlock: () => void makeBlock(chain, [donation(nonce++)]),
    ...createCounter(),
    answer: createReference(() => chain.openView(() => {}), networkId, isWebSocket),
    async close() {
      await server.close(0)
      current.close()
      await close()
      removeFolder(path)
    },
  }
}
