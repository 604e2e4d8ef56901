import { type IncomingMessage, request } from 'node:http'
import type { Clock } from '../../system/clock.ts'
import { NetError } from '../fault.ts'

/** HTTP request to a device on the local network. */
export interface DeviceRequest {
  readonly url: URL
  /** Body and headers of a POST; a GET if absent. */
  readonly post?: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
}

export interface DeviceResponse {
  readonly status: number
  readonly text: string
  /** This machine's address on the connection. */
  readonly localIp: string
}

/** Milliseconds to wait for a response. */
const timeout = 4000
/** Maximum bytes of a response; descriptions of routers have about ten thousand. */
const maxBytes = 1 << 17

/** Sends one HTTP request, without redirects; the response is limited in length and time. */
export function requestDevice(
  { url, post }: DeviceRequest,
  clock: Clock,
  signal?: AbortSignal,
): Promise<DeviceResponse> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      cancel()
      sent.destroy()
      reject(new NetError({ code: 'GATEWAY_FAILED', reason }))
    }
    const sent = request(
      url,
      {
        agent: false,
        method: post ? 'POST' : 'GET',
        headers: post ? { ...post.headers, 'Content-Length': Buffer.byteLength(post.body) } : {},
        ...(signal && { signal }),
      },
      (response) => read(response),
    )
    const cancel = clock.after(timeout, () => fail('the router does not respond in time'))
    sent.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    sent.end(post?.body)

    function read(response: IncomingMessage): void {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) fail("the router's response is too long")
        else chunks.push(chunk)
      })
      response.on('error', (error) => fail(error.message))
      response.on('end', () => {
        cancel()
        const localIp = response.socket.localAddress ?? ''
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), localIp })
      })
    }
  })
}
