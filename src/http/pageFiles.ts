import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { packageRoot } from '../primitives/packageRoot.ts'
import { acceptsGzip } from './sendJson.ts'
import { sendText } from './sendText.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** Compressed forms that the build may have made, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

interface PageFile {
  readonly type: string
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean
  readonly etag: string
  readonly body: Buffer
  readonly compressed: readonly { readonly name: 'br' | 'gzip'; readonly body: Buffer }[]
}

/** The files of the pages by their paths: nothing else in the file system can be asked for. */
export interface PageFiles {
  /** Answers a GET or HEAD request; returns false if there is no such file. */
  send(path: string, request: IncomingMessage, response: ServerResponse): boolean
}

/** Where `npm run build` puts the pages. */
const builtPages = join(packageRoot, 'build/explorer')

/** Finds the files in a folder; undefined if there is no page in it. */
export function openPageFiles(folder: string = builtPages): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
  const known = new Set(names)
  const loaded = new Map<string, PageFile>()

  /** Reads a file when it is asked for first: most nodes are never looked at. */
  function load(path: string): PageFile {
    const body = readFileSync(join(folder, path))
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    const file = {
      type: types[extname(path)] ?? 'application/octet-stream',
      isImmutable: /^\/assets\/.*-[\w-]{8,}\.\w+$/.test(path),
      etag: `"${hash}"`,
      body,
      compressed: encodings
        .filter(({ suffix }) => known.has(path + suffix))
        .map(({ name, suffix }) => ({ name, body: readFileSync(join(folder, path + suffix)) })),
    }
    loaded.set(path, file)
    return file
  }

  return {
    send(path, request, response) {
      const name = path === '/' ? '/index.html' : path
      if (!known.has(name)) return false
      sendFile(loaded.get(name) ?? load(name), request, response)
      return true
    },
  }
}

const acceptsBrotli = (header: string) => /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(header)

function sendFile(file: PageFile, { method, headers }: IncomingMessage, response: ServerResponse) {
  response.setHeader('ETag', file.etag)
  response.setHeader('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (headers['if-none-match']?.split(/,\s*/).includes(file.etag)) {
    response.writeHead(304).end()
    return
  }
  if (method !== 'GET' && method !== 'HEAD') return sendText(response, 405)
  const accepted = String(headers['accept-encoding'] ?? '')
  const coded = file.compressed.find(({ name }) => (name === 'br' ? acceptsBrotli : acceptsGzip)(accepted))
  const body = coded?.body ?? file.body
  const fields = ['Content-Type', file.type, 'Content-Length', String(body.length), 'Vary', 'Accept-Encoding']
  if (coded) fields.push('Content-Encoding', coded.name)
  response.writeHead(200, fields)
  response.end(method === 'HEAD' ? undefined : body)
}
