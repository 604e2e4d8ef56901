import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectEqual } from '../../../src/evmtool/expect.ts'
import { type Data, MissingData } from '../data.ts'
import { type Form, forms, inForm } from '../graphql/forms.ts'
import { expectJson, parse } from '../rpc/compareJson.ts'
import { post } from '../rpc/post.ts'
import { serveChain } from '../rpc/servedChain.ts'
import type { Suite } from '../suite.ts'

interface BesuCase {
  readonly request: string
  /** JSON text. */
  readonly variables?: string
  readonly response: unknown
  readonly statusCode: number
}

const folder = 'besu-graphql'

function namesIn(data: Data): string[] {
  try {
    return readdirSync(join(data.folder, folder, 'cases')).sort()
  } catch {
    throw new MissingData(`no ${folder}/cases in ${data.folder}`)
  }
}

async function check(url: string, { request, variables, response, statusCode }: BesuCase, form: Form): Promise<void> {
  const isJson = variables !== undefined
  const body = isJson ? JSON.stringify({ query: request, variables: JSON.parse(variables) }) : request
  const headers = { 'content-type': isJson ? 'application/json' : 'application/graphql' }
  const { status, text } = await post(url, { path: '/graphql', headers, body })
  expectEqual('status', status, statusCode)
  expectJson(parse(text), inForm(response, form))
}

export const besuGraphql: Suite = {
  name: 'besu-graphql',
  doc: "GraphQL queries and answers of Besu 23.10's own tests, with Longs as integers and in hex.",
  async *cases(data) {
    const notes = data.json(`${folder}/notes.json`) as { cases: Record<string, { compare: string }> }
    const served = await serveChain({
      genesis: data.json(`${folder}/chain/testGenesis.json`),
      blocks: data.bytes(`${folder}/chain/testBlockchain.blocks`),
      minGasPrice: 0n,
    })
    try {
      for (const form of forms) {
        const url = await served.serveGraphql(form === 'hex')
        for (const name of data.share(namesIn(data))) {
          if (notes.cases[`cases/${name}`]?.compare === 'skip') continue
          const item = data.json(`${folder}/cases/${name}`) as BesuCase
          yield { name: `${form}/${name}`, run: () => check(url, item, form) }
        }
      }
    } finally {
      await served.close()
    }
  },
}
