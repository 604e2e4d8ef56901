import { Agent, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as AgentHttps, request as requestHttps } from 'node:https'

export interface PeerAnswer {
  readonly status: number
  readonly body: Buffer
}

export interface PeerRequest {
  readonly method?: 'GET' | 'POST'
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Milliseconds that the answer may take; 5 seconds without it. */
  readonly timeout?: number
  /** Bytes of the longest answer that is read. */
  readonly maxAnswer?: number
}

/** Calls other managers over HTTP. */
export interface PeerClient {
  /** Rejects if the peer cannot be reached, is too slow or answers too much. */
  call(url: string, path: string, request: PeerRequest): Promise<PeerAnswer>
  close(): void
}

const defaultTimeout = 5000
const defaultMaxAnswer = 1 << 20
/** Connections to one peer. */
const maxSockets = 16

export function createPeerClient(): PeerClient {
  const agents = {
    'http:': new Agent({ keepAlive: true, maxSockets }),
    'https:': new AgentHttps({ keepAlive: true, maxSockets }),
  }

  async function call(url: string, path: string, request: PeerRequest): Promise<PeerAnswer> {
    try {
      return await callOnce(url, path, request)
    } catch (error) {
      // The peer has closed an idle connection just when it was used. All that is sent may be sent twice.
      if (error instanceof StaleError) return callOnce(url, path, request)
      throw error
    }
  }

  function callOnce(base: string, path: string, request: PeerRequest): Promise<PeerAnswer> {
    const { method = 'POST', type = 'application/octet-stream', body } = request
    const { timeout = defaultTimeout, maxAnswer = defaultMaxAnswer } = request
    const url = new URL(path, base)
    const isSecure = url.protocol === 'https:'
    const options: RequestOptions = {
      method,
      agent: isSecure ? agents['https:'] : agents['http:'],
      headers: { ...request.headers, ...(body && { 'content-type': type, 'content-length': body.length }) },
    }
    return new Promise((resolve, reject) => {
      const sent = (isSecure ? requestHttps : requestHttp)(url, options, (answer) => {
        const parts: Buffer[] = []
        let length = 0
        answer.on('data', (part: Buffer) => {
          length += part.length
          if (length > maxAnswer) sent.destroy(new Error(`the answer has more than ${maxAnswer} bytes`))
          else parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          clearTimeout(timer)
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) })
        })
      })
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${timeout} ms`)), timeout)
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new StaleError(error.message) : error)
      })
      sent.end(body)
    })
  }

  return {
    call,
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

class StaleError extends Error {}
