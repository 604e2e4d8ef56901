import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectEqual } from '../../../src/evmtool/expect.ts'
import { type Data, MissingData } from '../data.ts'
import { type Form, forms, inForm } from '../graphql/forms.ts'
import { expectJson, parse } from '../rpc/compareJson.ts'
import { post } from '../rpc/post.ts'
import { serveChain } from '../rpc/servedChain.ts'
import type { Suite } from '../suite.ts'

interface HiveCase {
  readonly request: string
  /** Each of them is right. */
  readonly responses: readonly unknown[]
  readonly statusCode: number
}

const folder = 'hive-graphql'

function namesIn(data: Data): string[] {
  try {
    return readdirSync(join(data.folder, folder, 'testcases')).sort()
  } catch {
    throw new MissingData(`no ${folder}/testcases in ${data.folder}`)
  }
}

/** What errors look like is left to the client; answers are compared. */
async function check(url: string, { request, responses, statusCode }: HiveCase, form: Form): Promise<void> {
  const { status, text } = await post(url, { path: '/graphql', body: JSON.stringify({ query: request }) })
  expectEqual('status', status, statusCode)
  if (status !== 200) return
  const have = parse(text)
  const isOne = responses.some((response) => {
    try {
      expectJson(have, inForm(response, form))
      return true
    } catch {
      return false
    }
  })
  if (!isOne) expectJson(have, inForm(responses[0], form))
}

export const hiveGraphql: Suite = {
  name: 'hive-graphql',
  doc: 'GraphQL queries and answers that clients share, with Longs as integers and in hex.',
  async *cases(data) {
    // Cases build on each other: one worker runs a form's cases in order, on a node of their own.
    for (const form of data.share(forms)) {
      const served = await serveChain({
        genesis: data.json(`${folder}/chain/testGenesis.json`),
        blocks: data.bytes(`${folder}/chain/testBlockchain.blocks`),
        minGasPrice: 0n,
      })
      try {
        const url = await served.serveGraphql(form === 'hex')
        for (const name of namesIn(data)) {
          const item = data.json(`${folder}/testcases/${name}`) as HiveCase
          yield { name: `${form}/${name}`, run: () => check(url, item, form) }
        }
      } finally {
        await served.close()
      }
    }
  },
}
