import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectEqual } from '../../../src/evmtool/expect.ts'
import { type Data, MissingData } from '../data.ts'
import { expectJson, parse, visitPath } from '../rpc/compareJson.ts'
import { post, type Received, type Sent } from '../rpc/post.ts'
import { type ServedChain, serveChain } from '../rpc/servedChain.ts'
import type { Suite } from '../suite.ts'

interface Exchange {
  readonly request?: unknown
  readonly requestText?: string
  readonly requestRepeat?: { readonly count: number; readonly item: unknown }
  readonly requestFill?: number
  readonly http?: Sent
  readonly status: number
  readonly response?: unknown
  readonly responseText?: string
  readonly ignore?: readonly string[]
  readonly sort?: string
  readonly save?: Readonly<Record<string, string>>
}

export interface LiveCase extends Exchange {
  readonly name: string
  readonly transport: string
  readonly steps?: readonly Exchange[]
}

const folder = 'besu-live'

function bodyOf({ request, requestText, requestRepeat, requestFill }: Exchange, saved: ReadonlyMap<string, string>) {
  if (requestFill !== undefined)
    return JSON.stringify({ id: 1, method: 'web3_sha3', params: [`0x${'00'.repeat(Math.ceil(requestFill / 2))}`] })
  if (requestRepeat) return JSON.stringify(Array(requestRepeat.count).fill(requestRepeat.item))
  return request === undefined ? requestText : fill(JSON.stringify(request), saved)
}

function fill(text: string, saved: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => saved.get(name) ?? whole)
}

/** Puts what does not count, or has no order, into one form. */
function prepare(value: unknown, { ignore = [], sort }: Exchange): unknown {
  for (const path of ignore)
    visitPath(value, path, (holder, key) => {
      holder[key] = '(ignored)'
    })
  if (sort)
    visitPath(value, sort, (holder, key) => {
      const list = holder[key]
      if (Array.isArray(list)) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    })
  return value
}

function judge(exchange: Exchange, { status, text }: Received, saved: ReadonlyMap<string, string>): void {
  expectEqual('status', status, exchange.status)
  if (exchange.responseText !== undefined) {
    expectEqual('text', text, exchange.responseText)
    return
  }
  const want = JSON.parse(fill(JSON.stringify(exchange.response), saved)) as unknown
  expectJson(prepare(parse(text), exchange), prepare(want, exchange))
}

/** Sends a request and judges the answer; what it is to keep is saved for later ones. */
export async function exchange(one: Exchange, url: string, saved: Map<string, string>): Promise<void> {
  const received = await post(url, { ...one.http, body: bodyOf(one, saved) })
  for (const [name, path] of Object.entries(one.save ?? {}))
    visitPath(parse(received.text), path, (holder, key) => saved.set(name, String(holder[key])))
  judge(one, received, saved)
}

/** Serves the chain that the answers are about. */
export function startLive(data: Data): Promise<ServedChain> {
  return serveChain({ genesis: data.json(`${folder}/genesis.json`), blocks: data.bytes(`${folder}/chain.rlp`) })
}

/** The cases of one way to reach a node. */
export function liveCases(data: Data, transport: string): LiveCase[] {
  const place = join(data.folder, folder, 'cases')
  let names: string[]
  try {
    names = readdirSync(place).sort()
  } catch {
    throw new MissingData(`no ${folder}/cases in ${data.folder}`)
  }
  return names
    .map((name) => data.json(`${folder}/cases/${name}`) as LiveCase)
    .filter((one) => one.transport === transport)
}

/** A flow changes the node, so that it gets one of its own. */
async function runFlow(data: Data, steps: readonly Exchange[]): Promise<void> {
  const served = await startLive(data)
  const saved = new Map<string, string>()
  try {
    for (const step of steps) await exchange(step, served.url, saved)
  } finally {
    await served.close()
  }
}

export const besuLive: Suite = {
  name: 'besu-live',
  doc: 'JSON-RPC answers recorded from a running Besu 24.1.2 on a frozen QBFT chain.',
  async *cases(data) {
    const served = await startLive(data)
    try {
      for (const one of data.share(liveCases(data, 'http'))) {
        const { name, steps } = one
        yield { name, run: () => (steps ? runFlow(data, steps) : exchange(one, served.url, new Map())) }
      }
    } finally {
      await served.close()
    }
  },
}
