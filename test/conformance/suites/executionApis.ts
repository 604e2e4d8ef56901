import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mismatch } from '../../../src/evmtool/expect.ts'
import { type Data, MissingData } from '../data.ts'
import { expectSchema } from '../rpc/checkSchema.ts'
import { expectJson, parse } from '../rpc/compareJson.ts'
import { post } from '../rpc/post.ts'
import { serveChain } from '../rpc/servedChain.ts'
import type { Suite } from '../suite.ts'

const folder = 'execution-apis'
/** Releases of the suite, and whose schemas they are checked with. */
const releases = [
  { name: '2024-cancun', schemas: '2024-cancun' },
  { name: '2025-prague', schemas: '2026-osaka' },
  { name: '2026-osaka', schemas: '2026-osaka' },
]

interface Turn {
  readonly sent: string
  readonly want: Reply
}
interface Reply {
  readonly result?: unknown
  readonly error?: { code: number; message?: string }
}

interface Transcript {
  readonly turns: readonly Turn[]
  /** Only the form of results counts. */
  readonly formOnly: boolean
}

function readTranscript(text: string): Transcript {
  const turns: Turn[] = []
  let sent = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('>> ')) sent = line.slice(3)
    else if (line.startsWith('<< ')) turns.push({ sent, want: JSON.parse(line.slice(3)) as Reply })
  }
  return { turns, formOnly: /^\/\/ *speconly:/m.test(text) }
}

/**
 * Where our objects follow Besu 23.10 and the specification, and not the newer public one: blocks have `totalDifficulty`,
 * transactions and logs lack `blockTimestamp`, blob transactions lack `v`.
 */
function withoutKnownDifferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKnownDifferences)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([name]) =>
      name !== 'blockTimestamp' &&
      !(name === 'totalDifficulty' && 'sha3Uncles' in value) &&
      !(name === 'v' && 'blobVersionedHashes' in value),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, withoutKnownDifferences(member)]))
}

/** Entries and keys of access lists come in any order. */
function sortAccessLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortAccessLists)
  const sorted = (list: unknown[]) => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = sortAccessLists(member)
      return [name, Array.isArray(inner) && (name === 'accessList' || name === 'storageKeys') ? sorted(inner) : inner]
    }),
  )
}

function comparable(reply: Reply): unknown {
  const { error, ...rest } = reply
  return sortAccessLists(withoutKnownDifferences(error ? { ...rest, error: { ...error, message: '' } } : rest))
}

type Schemas = ReadonlyMap<string, Readonly<Record<string, unknown>>>

async function check(url: string, { turns, formOnly }: Transcript, schemas: Schemas): Promise<void> {
  for (const { sent, want } of turns) {
    const have = parse((await post(url, { body: sent })).text) as Reply
    if (formOnly) {
      if (have.result === undefined) throw new Mismatch(`answer is ${JSON.stringify(have)}`)
      const { method } = JSON.parse(sent) as { method: string }
      expectSchema(withoutKnownDifferences(have.result), schemas.get(method) ?? {})
    } else expectJson(comparable(have), comparable(want))
  }
}

function schemasOf(data: Data, release: string): Schemas {
  const document = data.json(`${folder}/${release}/openrpc.json`) as {
    methods: { name: string; result: { schema: Record<string, unknown> } }[]
  }
  return new Map(document.methods.map(({ name, result }) => [name, result.schema]))
}

function transcriptsIn(data: Data, release: string): string[] {
  const place = join(data.folder, folder, release, 'tests')
  try {
    return readdirSync(place, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.io'))
      .sort()
  } catch {
    throw new MissingData(`no ${folder}/${release}/tests in ${data.folder}`)
  }
}

export const executionApis: Suite = {
  name: 'execution-apis',
  doc: 'Transcripts of the public JSON-RPC specification, on chains that end in Cancun, Prague and Osaka.',
  async *cases(data) {
    for (const { name: release, schemas } of releases) {
      const tests = `${folder}/${release}/tests`
      const served = await serveChain({
        genesis: data.json(`${tests}/genesis.json`),
        blocks: data.bytes(`${tests}/chain.rlp`),
        final: true,
        minGasPrice: 0n,
      })
      try {
        const known = schemasOf(data, schemas)
        for (const name of data.share(transcriptsIn(data, release))) {
          const transcript = readTranscript(readFileSync(join(data.folder, tests, name), 'utf8'))
          yield { name: `${release}/${name}`, run: () => check(served.url, transcript, known) }
        }
      } finally {
        await served.close()
      }
    }
  },
}
