import { createHttpClient, TooLongError } from '../../http/client/httpClient.ts'
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
const maxAnswer = 1 << 17

const client = createHttpClient({ keepAlive: false })

/** Sends one HTTP request, without redirects; the response is limited in length and time. */
export async function requestDevice(
  { url, post }: DeviceRequest,
  clock: Clock,
  signal?: AbortSignal,
): Promise<DeviceResponse> {
  const late = new AbortController()
  const cancel = clock.after(timeout, () => late.abort(new Error('the router does not respond in time')))
  const end = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  try {
    const answer = await client.ask(url, post ? { method: 'POST', ...post } : { method: 'GET' }, {
      maxAnswer,
      signal: end,
    })
    return { status: answer.status, text: answer.body.toString(), localIp: answer.localAddress }
  } catch (error) {
    throw new NetError({ code: 'GATEWAY_FAILED', reason: reasonOf(error as NodeJS.ErrnoException) })
  } finally {
    cancel()
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof TooLongError) return "the router's response is too long"
  return typeof error.code === 'string' ? error.code : error.message
}
