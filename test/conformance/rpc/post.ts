import { request } from 'node:http'

export interface Sent {
  readonly method?: string
  readonly path?: string
  /** A null header is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | undefined
}

export interface Received {
  readonly status: number
  readonly text: string
}

/** Sends an HTTP request as it is told to, odd ones included. */
export function post(url: string, { method = 'POST', path = '/', headers = {}, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(url)
  const sent: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) delete sent[name]
    else sent[name] = value
  }
  if (body !== undefined) sent['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}
