import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { runNode } from '../../src/node/runNode.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { type Clock, systemClock } from '../../src/system/clock.ts'
import { encodeTx, txHash } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { Tx, UnsignedTx } from '../../src/types/transaction.ts'
import { createSilentLogs } from './silentLogs.ts'

export interface RpcReply {
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string }
}

/** A development network of one node, as a user starts it, on free ports. */
export interface DevNode {
  readonly url: string
  readonly wsUrl: string
  /** Undefined where GraphQL is off. */
  readonly graphqlUrl: string | undefined
  /** With a slash at its end; undefined where the page was not built. */
  readonly explorerUrl: string | undefined
  send(method: string, params?: readonly unknown[]): Promise<RpcReply>
  /** The result; an error is thrown. */
  call<T>(method: string, params?: readonly unknown[]): Promise<T>
  stop(): Promise<void>
}

export async function startDevNode(
  options: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<DevNode> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-dev-'))
  const flags = new Map(
    Object.entries({
      'data-path': folder,
      // Processes beside the node take a while to start, on a machine that runs many tests.
      'rpc-readers': '0',
      'rpc-http-port': '0',
      'rpc-ws-port': '0',
      'graphql-http-port': '0',
      'rpc-http-api': 'ETH,NET,WEB3,TXPOOL,MINER',
      'miner-coinbase': `0x${'c0'.repeat(20)}`,
      ...options,
    }),
  )
  const loggers = createSilentLogs()
  const node = await runNode(resolveConfig(flags, {}).config, loggers, clock)
  const urlOf = (service: string) => `127.0.0.1:${node.places.get(service)!.port}`
  const url = `http://${urlOf('jsonrpc')}`
  let id = 0

  async function send(method: string, params: readonly unknown[] = []): Promise<RpcReply> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    return (await (await fetch(url, { method: 'POST', body })).json()) as RpcReply
  }

  return {
    url,
    wsUrl: `ws://${urlOf('ws')}`,
    graphqlUrl: node.places.has('graphql') ? `http://${urlOf('graphql')}/graphql` : undefined,
    explorerUrl: node.places.has('explorer') ? `http://${urlOf('explorer')}/` : undefined,
    send,
    async call<T>(method: string, params?: readonly unknown[]) {
      const { result, error } = await send(method, params)
      if (error) throw new Error(`${method}: ${error.code} ${error.message}`)
      return result as T
    },
    async stop() {
      await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The key of the first funded account. */
export const richKey = fromHex(devAccounts[0]!.privateKey)
export const richAddress = devAccounts[0]!.address

/** A signed transaction and what is sent of it. */
export function signed(tx: UnsignedTx, key = richKey): { tx: Tx; raw: string; hash: string } {
  const done = signTx(tx, key)
  return { tx: done, raw: toHex(encodeTx(done)), hash: toHex(txHash(done)) }
}

/** Asks until the answer is not null. */
export async function eventually<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A WebSocket client that keeps what it hears. */
export async function dialWs(url: string, authorization?: string) {
  const socket = new WebSocket(url, authorization === undefined ? {} : { headers: { authorization } })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  const replies = new Map<unknown, (reply: RpcReply) => void>()
  const events: { subscription: string; result: unknown }[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as RpcReply & { params?: (typeof events)[number] }
    if (message.params) {
      events.push(message.params)
      for (const wake of waiting.splice(0)) wake()
    } else replies.get(message.id)?.(message)
  })
  let id = 0
  return {
    send(method: string, params: readonly unknown[] = []): Promise<RpcReply> {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }))
      return new Promise((resolve) => replies.set(id, resolve))
    },
    /** The next event of a subscription. */
    async next(subscription: unknown): Promise<unknown> {
      for (;;) {
        const at = events.findIndex((event) => event.subscription === subscription)
        if (at >= 0) return events.splice(at, 1)[0]!.result
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    close: () => socket.close(),
  }
}
