import { createServer } from 'node:http'
import { createHostCheck } from '../http/hostAllowlist.ts'
import { type Listening, listen, type ServerAddress } from '../http/listen.ts'

export interface MetricsServerOptions extends ServerAddress {
  readonly hostAllowlist: readonly string[]
}

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves metrics at `/metrics`; `read` returns their text, limited to the names in the request if it has any. */
export function serveMetrics(
  options: MetricsServerOptions,
  read: (names: ReadonlySet<string>) => string,
): Promise<Listening> {
  const allowed = createHostCheck(options.hostAllowlist)
  const server = createServer((request, response) => {
    const reply = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body)
    }
    if (!allowed(request.headers.host))
      return reply(403, 'application/json; charset=utf-8', '{"message":"Host not authorized."}')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method !== 'GET') return reply(405, 'text/plain', '')
    if (pathname === '/metrics') return reply(200, textFormat, read(new Set(searchParams.getAll('name[]'))))
    // Besu answers requests of `/` with 201.
    return pathname === '/' ? reply(201, 'text/plain', '') : reply(404, 'text/plain', '')
  })
  return listen(server, options)
}
