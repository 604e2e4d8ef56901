import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectEqual, Mismatch } from '../../../src/evmtool/expect.ts'
import { type Data, MissingData } from '../data.ts'
import { expectJson, parse } from '../rpc/compareJson.ts'
import { post } from '../rpc/post.ts'
import { serveChain } from '../rpc/servedChain.ts'
import type { Suite } from '../suite.ts'

interface BesuCase {
  readonly request: unknown
  readonly response: unknown
  readonly statusCode: number
}

type Comparison = 'skip' | 'hex-id' | 'any-result' | 'exact'

const folder = 'besu-rpc'

/** Which cases run on which chain; the harness around Besu's tests has network id 123 and takes any price. */
const groups = [
  { cases: 'eth', genesis: 'chains/hive/testGenesis.json', blocks: 'chains/hive/testBlockchain.blocks' },
  { cases: 'debug', genesis: 'chains/hive/testGenesis.json', blocks: 'chains/hive/testBlockchain.blocks' },
  { cases: 'eth_latest', genesis: 'chains/trace/genesis.json', blocks: 'chains/trace/blocks.bin' },
  { cases: 'trace', genesis: 'chains/trace/genesis.json', blocks: 'chains/trace/blocks.bin' },
] as const

function namesIn(data: Data, group: string): string[] {
  const place = join(data.folder, folder, 'cases', group)
  try {
    return readdirSync(place, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch {
    throw new MissingData(`no ${folder}/cases/${group} in ${data.folder}`)
  }
}

async function check(url: string, { request, response, statusCode }: BesuCase, comparison: Comparison): Promise<void> {
  const { status, text } = await post(url, { body: JSON.stringify(request) })
  expectEqual('status', status, statusCode)
  const have = parse(text) as { result?: unknown } | undefined
  if (comparison === 'exact') return expectJson(have, response)
  const fits = comparison === 'any-result' || /^0x[0-9a-f]+$/.test(String(have?.result))
  if (have?.result === undefined || !fits) throw new Mismatch(`answer is ${text}`)
}

export const besuRpc: Suite = {
  name: 'besu-rpc',
  doc: "Requests and answers of Besu 23.10's own tests.",
  async *cases(data) {
    const notes = data.json(`${folder}/notes.json`) as { cases: Record<string, { compare: Comparison }> }
    for (const { cases, genesis, blocks } of groups) {
      const served = await serveChain({
        genesis: data.json(`${folder}/${genesis}`),
        blocks: data.bytes(`${folder}/${blocks}`),
        networkId: 123n,
        minGasPrice: 0n,
      })
      try {
        for (const name of data.share(namesIn(data, cases))) {
          const path = `cases/${cases}/${name}`
          const comparison = notes.cases[path]?.compare ?? 'exact'
          if (comparison === 'skip') continue
          const item = data.json(`${folder}/${path}`) as BesuCase
          yield { name: `${cases}/${name}`, run: () => check(served.url, item, comparison) }
        }
      } finally {
        await served.close()
      }
    }
  },
}
