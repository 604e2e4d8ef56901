import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A line of a transcript. */
export type Line =
  | { readonly kind: 'comment' | 'request' | 'answer'; readonly text: string }
  | { readonly kind: 'wait'; readonly milliseconds: number }

/** A case of a method: a file of test/fixtures/rpc, whose README tells the format. */
export interface Transcript {
  readonly method: string
  readonly name: string
  readonly path: string
  readonly lines: readonly Line[]
}

const folder = fileURLToPath(new URL('../../fixtures/rpc', import.meta.url))

const marks = { '//': 'comment', '>>': 'request', '<<': 'answer' } as const

function readLine(line: string, path: string): Line {
  const mark = line.slice(0, 2)
  const text = line.slice(3)
  if (mark === '..') return { kind: 'wait', milliseconds: Number(text) }
  const kind = (marks as Record<string, 'comment' | 'request' | 'answer'>)[mark]
  if (kind === undefined) throw new Error(`${path}: a line starts with //, >>, << or ..: ${line}`)
  return { kind, text }
}

export function parseTranscript(text: string, path: string): readonly Line[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => readLine(line, path))
}

export function formatTranscript(lines: readonly Line[]): string {
  const mark = { comment: '//', request: '>>', answer: '<<' }
  const shown = lines.map((line) =>
    line.kind === 'wait' ? `.. ${line.milliseconds}` : `${mark[line.kind]} ${line.text}`.trimEnd(),
  )
  return `${shown.join('\n')}\n`
}

/** Names of the methods that have a folder. */
export function transcribedMethods(): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

export function readTranscripts(method: string): readonly Transcript[] {
  const files = readdirSync(join(folder, method)).sort()
  return files.map((file) => {
    if (!file.endsWith('.io')) throw new Error(`${method}/${file}: a case is a file that ends in .io`)
    const path = join(folder, method, file)
    return { method, name: file.slice(0, -3), path, lines: parseTranscript(readFileSync(path, 'utf8'), path) }
  })
}

/** What a comment of the form `// word: text` says; undefined when there is none. */
export function remarkOf({ lines }: Transcript, word: string): string | undefined {
  for (const line of lines)
    if (line.kind === 'comment' && line.text.startsWith(`${word}: `)) return line.text.slice(word.length + 2)
  return undefined
}
