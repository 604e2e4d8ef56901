import type { ServerResponse } from 'node:http'

/** Sends a short response; the body may be empty. */
export function sendText(response: ServerResponse, status: number, type?: string, body = ''): void {
  const headers = ['Vary', 'origin', 'Content-Length', String(Buffer.byteLength(body))]
  if (type !== undefined) headers.push('Content-Type', type)
  response.writeHead(status, headers).end(body)
}

/** Answers a request of an unknown path. */
export function sendNotFound(response: ServerResponse): void {
  sendText(response, 404, 'text/html; charset=utf-8', '<html><body><h1>Resource not found</h1></body></html>')
}

/** Answers a request whose Host is not allowed. */
export function sendHostRefused(response: ServerResponse): void {
  sendText(response, 403, 'application/json; charset=utf-8', '{"message":"Host not authorized."}')
}
