import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createHttpClient } from '../http/client/httpClient.ts'
import { askSocket } from '../jsonrpc/askSocket.ts'
import { postTo } from '../jsonrpc/postTo.ts'
import { type CallReply, callRemote, type SendText } from '../jsonrpc/remoteCall.ts'
import { BlockFileError } from './fault.ts'

/** Calls a method of a node and returns its result. */
export type AskNode = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Milliseconds that an answer may take, and between attempts. */
const patience = 30_000
const pauses = [200, 400, 800, 1600]

/** Whether a place is that of a running node: a URL, or a socket such as geth's IPC. */
export function isNode(place: string): boolean {
  return isUrl(place) || (statSync(place, { throwIfNoEntry: false })?.isSocket() ?? false)
}

const isUrl = (place: string) => /^https?:\/\//i.test(place)

/** JSON-RPC of another node. A call is repeated where the connection fails, and ends when `stop` is aborted. */
export function createAskNode(place: string, stop: AbortSignal): AskNode {
  const unreachable = (reason: string, cause?: unknown) =>
    new BlockFileError({ code: 'NODE_UNREACHABLE', path: place, reason }, cause)
  const send: SendText = isUrl(place)
    ? postTo(createHttpClient(), place)
    : (body, signal) => askSocket(place, body, signal)

  return async (method, ...params) => {
    for (let attempt = 0; ; attempt++) {
      let reply: CallReply | undefined
      try {
        reply = await callRemote(send, method, params, AbortSignal.any([stop, AbortSignal.timeout(patience)]))
      } catch (error) {
        const pause = pauses[attempt]
        if (pause === undefined || stop.aborted) throw unreachable(reasonOf(error), error)
        await delay(pause, undefined, { signal: stop }).catch(() => {})
        continue
      }
      if (!reply) throw unreachable(`${method} did not return JSON-RPC`)
      if ('error' in reply) throw unreachable(`${method}: ${reply.error.message ?? JSON.stringify(reply.error)}`)
      return reply.result
    }
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : message
}
