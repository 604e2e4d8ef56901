import { type Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface HttpCall {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Content type of the body. */
  readonly type?: string
  /** Milliseconds that the whole answer may take. */
  readonly timeout: number
  /** Bytes of the longest answer that is read. */
  readonly maxAnswer: number
  readonly agent?: Agent | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly body: Buffer
}

/** Calls an HTTP server; rejects if it cannot be reached, is too slow or answers too much. What is sent may arrive twice. */
export async function callHttp(url: URL, call: HttpCall): Promise<HttpAnswer> {
  try {
    return await callOnce(url, call)
  } catch (error) {
    // The server has closed an idle connection just when it was used.
    if (error instanceof StaleError) return callOnce(url, call)
    throw error
  }
}

function callOnce(url: URL, call: HttpCall): Promise<HttpAnswer> {
  const { method = 'POST', type = 'application/octet-stream', body, timeout, maxAnswer, agent } = call
  const headers = { ...call.headers, ...(body && { 'content-type': type, 'content-length': body.length }) }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(url, { method, agent, headers }, (answer) => {
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

class StaleError extends Error {}
