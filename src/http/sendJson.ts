import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, gzip } from 'node:zlib'
import { readInTurns } from './readInTurns.ts'

export interface SendOptions {
  readonly gzip: boolean
  readonly pretty: boolean
  /** Content-Type; `application/json` by default. */
  readonly type?: string
}

/** Below this length compression costs more than it saves. */
export const gzipFrom = 4096
export const fastGzip = { level: constants.Z_BEST_SPEED }

/** Whether an Accept-Encoding header asks for gzip. */
export function acceptsGzip(header: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(header)
}

/** Sends JSON: a string at once, an iterable piece by piece as the client reads it. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string | Iterable<string>,
  options: SendOptions,
) {
  if (typeof body !== 'string') return stream(response, status, body, options)
  const { type = 'application/json' } = options
  const text = options.pretty && body !== '' ? JSON.stringify(JSON.parse(body), undefined, 2) : body
  if (options.gzip && text.length >= gzipFrom)
    return gzip(text, fastGzip, (error, bytes) => {
      if (error) response.destroy(error)
      else write(response, status, bytes, bytes.length, ['Content-Type', type, 'Content-Encoding', 'gzip'])
    })
  write(response, status, text, Buffer.byteLength(text), ['Content-Type', type])
}

function write(
  response: ServerResponse,
  status: number,
  body: string | Uint8Array,
  length: number,
  headers: readonly string[],
): void {
  response.writeHead(status, [...headers, 'Content-Length', String(length), 'Vary', 'origin'])
  response.end(body)
}

function stream(response: ServerResponse, status: number, pieces: Iterable<string>, options: SendOptions): void {
  const headers = ['Content-Type', options.type ?? 'application/json', 'Vary', 'origin']
  if (options.gzip) headers.push('Content-Encoding', 'gzip')
  response.writeHead(status, headers)
  const source = Readable.from(readInTurns(pieces), { objectMode: false })
  const sent = options.gzip ? pipeline(source, createGzip(fastGzip), response) : pipeline(source, response)
  // If the client disconnects, or a piece throws, part of the response is sent already: close the connection.
  sent.catch(() => response.destroy())
}
