import { acceptsJson } from '../../http/acceptHeader.ts'
import type { HostCheck } from '../../http/hostAllowlist.ts'
import { maxHeaders } from '../../http/httpServer.ts'
import { acceptsGzip } from '../../http/sendJson.ts'

/** The head of a plain request: a POST of a call, without any special header. */
export interface PlainHead {
  /** The head itself, with the empty line that ends it. */
  readonly bytes: Buffer
  /** Bytes of the body. */
  readonly length: number
  readonly gzip: boolean
  readonly authorization: string | undefined
}

/** The first line of every plain request. */
export const requestLine = 'POST / HTTP/1.1'
const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*$/

/** Headers that change how a request is read or answered: Node's HTTP server handles such requests. */
const special = new Set(['origin', 'expect', 'transfer-encoding', 'upgrade', 'trailer', 'te', 'http2-settings'])

/** The empty line that ends a head. */
export const headEnding = '\r\n\r\n'

/** Parses the head of a request; undefined if the request is not plain. */
export function readPlainHead(
  bytes: Buffer,
  { hostAllowed, maxBody }: { readonly hostAllowed: HostCheck; readonly maxBody: number },
): PlainHead | undefined {
  const text = bytes.toString('latin1', 0, bytes.length - headEnding.length)
  if (text.length > maxHeaders.bytes) return undefined
  const lines = text.split('\r\n')
  if (lines[0] !== requestLine || lines.length - 1 > maxHeaders.count) return undefined
  const headers = new Map<string, string>()
  for (let i = 1; i < lines.length; i++) {
    const [, name, value] = line.exec(lines[i]!) ?? []
    const key = name?.toLowerCase()
    if (key === undefined || special.has(key) || headers.has(key)) return undefined
    headers.set(key, value!)
  }
  const length = headers.get('content-length')
  if (length === undefined || !/^[0-9]{1,9}$/.test(length) || Number(length) > maxBody) return undefined
  if (!hostAllowed(headers.get('host')) || !acceptsJson(headers.get('accept'))) return undefined
  if ((headers.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined
  return {
    // A copy: the buffer that it came in also holds requests.
    bytes: Buffer.from(bytes),
    length: Number(length),
    gzip: acceptsGzip(headers.get('accept-encoding') ?? ''),
    authorization: headers.get('authorization'),
  }
}
