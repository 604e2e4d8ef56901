import type { ServerResponse } from 'node:http'

/** Sends a short answer, or none. */
export function sendText(response: ServerResponse, status: number, type?: string, body = ''): void {
  const headers = ['Vary', 'origin', 'Content-Length', String(Buffer.byteLength(body))]
  if (type !== undefined) headers.push('Content-Type', type)
  response.writeHead(status, headers).end(body)
}

/** What a server says about a path that it does not know. */
export function sendNotFound(response: ServerResponse): void {
  sendText(response, 404, 'text/html; charset=utf-8', '<html><body><h1>Resource not found</h1></body></html>')
}

/** What a server says to a request for a host that it must not answer for. */
export function sendHostRefused(response: ServerResponse): void {
  sendText(response, 403, 'application/json; charset=utf-8', '{"message":"Host not authorized."}')
}
