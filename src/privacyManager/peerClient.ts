import { createHttpClient, type HttpAnswer } from '../http/client/httpClient.ts'
import { createCarefulLookup } from './localAddresses.ts'

/** A request to another manager. */
export interface PeerRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Content type of the body. */
  readonly type?: string
  /** Milliseconds that the whole answer may take, if not 5 seconds. */
  readonly timeout?: number
  /** Bytes of the longest answer that is read, if not 1 MiB. */
  readonly maxAnswer?: number
}

/** Calls other managers over HTTP. */
export interface PeerClient {
  /** Rejects if the peer cannot be reached, is too slow or answers too much. */
  call(url: string, path: string, request: PeerRequest): Promise<HttpAnswer>
  close(): void
}

/** Connections to one peer. */
const maxSockets = 16

/** `isTrusted` says which host names may be those of this machine. */
export function createPeerClient(isTrusted: (host: string) => boolean): PeerClient {
  const client = createHttpClient({ maxSockets, lookup: createCarefulLookup(isTrusted) })
  return {
    call(
      base,
      path,
      { method = 'POST', type = 'application/octet-stream', body, timeout = 5000, maxAnswer = 1 << 20, ...more },
    ) {
      const headers = { ...more.headers, ...(body && { 'content-type': type }) }
      return client.ask(new URL(path, base), { method, headers, body }, { timeout, maxAnswer })
    },
    close: client.close,
  }
}
