import { Agent } from 'node:http'
import { Agent as AgentHttps } from 'node:https'
import { callHttp, type HttpAnswer, type HttpCall } from '../privacy/enclave/httpCall.ts'
import { createCarefulLookup } from './localAddresses.ts'

/** A request to another manager; the answer may take 5 seconds and have 1 MiB unless it says otherwise. */
export type PeerRequest = Omit<HttpCall, 'timeout' | 'maxAnswer' | 'agent'> &
  Partial<Pick<HttpCall, 'timeout' | 'maxAnswer'>>

/** Calls other managers over HTTP. */
export interface PeerClient {
  /** Rejects if the peer cannot be reached, is too slow or answers too much. */
  call(url: string, path: string, request: PeerRequest): Promise<HttpAnswer>
  close(): void
}

const timeout = 5000
const maxAnswer = 1 << 20
/** Connections to one peer. */
const maxSockets = 16

/** `isTrusted` says which host names may be those of this machine. */
export function createPeerClient(isTrusted: (host: string) => boolean): PeerClient {
  const options = { keepAlive: true, maxSockets, lookup: createCarefulLookup(isTrusted) }
  const agents = { 'http:': new Agent(options), 'https:': new AgentHttps(options) }
  return {
    call(base, path, request) {
      const url = new URL(path, base)
      const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:']
      return callHttp(url, { timeout, maxAnswer, ...request, agent })
    },
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}
