import { type IncomingMessage, request } from 'node:http'
import type { Clock } from '../../primitives/clock.ts'
import { NetError } from '../fault.ts'

/** What a device of the local network is asked. */
export interface DeviceQuestion {
  readonly url: URL
  /** Asks for a page where this is left out. */
  readonly post?: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
}

export interface DeviceAnswer {
  readonly status: number
  readonly text: string
  /** Address by which the device reaches this machine. */
  readonly localIp: string
}

/** Milliseconds that an answer may take. */
const patience = 4000
/** Bytes of an answer; descriptions of routers have some ten thousand. */
const maxBytes = 1 << 17

/** Asks once over HTTP, follows no redirection, and takes an answer of bounded length in bounded time. */
export function askDevice({ url, post }: DeviceQuestion, clock: Clock, signal?: AbortSignal): Promise<DeviceAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      cancel()
      asked.destroy()
      reject(new NetError({ code: 'GATEWAY_FAILED', reason }))
    }
    const asked = request(
      url,
      {
        agent: false,
        method: post ? 'POST' : 'GET',
        headers: post ? { ...post.headers, 'Content-Length': Buffer.byteLength(post.body) } : {},
        ...(signal && { signal }),
      },
      (response) => read(response),
    )
    const cancel = clock.after(patience, () => fail('it takes too long'))
    asked.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    asked.end(post?.body)

    function read(response: IncomingMessage): void {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) fail('its answer is too long')
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
