import type { Browser } from 'playwright-core'
import type { Hex } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import type { ToolChain } from '../../interop/toolChain.ts'
import { visit } from './visitor.ts'

const blockHash = /0x[0-9a-f]{64}/

/** GraphiQL at `path` of a server: its sample query runs. */
export async function checkGraphiql(
  checks: Checks,
  browser: Browser,
  chain: ToolChain,
  url: string,
  path: string,
): Promise<void> {
  const visitor = await visit(browser, url, checks, { path })
  const { page } = visitor
  try {
    // Before its editor is there, GraphiQL has nothing to execute.
    await page.locator('.graphiql-query-editor .CodeMirror-code').filter({ hasText: 'transactionCount' }).waitFor()
    await page.getByRole('button', { name: /execute query/i }).click()
    const result = page.locator('.result-window')
    await visitor.sees(`${path}: the sample query is answered`, result, blockHash)
    // By its hash: the head may be another one by now.
    const [hash] = blockHash.exec(await result.innerText()) ?? []
    const block = await chain.call<{ hash: Hex } | null>('eth_getBlockByHash', hash, false)
    checks.equal(`${path}: with a block of the chain`, block?.hash, hash)
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('{ chainID nothing }')
    await page.keyboard.press('ControlOrMeta+Enter')
    await visitor.sees(`${path}: a query with a fault`, result, /nothing/)
    await visitor.picture('graphiql')
  } finally {
    // A query with a fault has status 400.
    await visitor.leave(/status of 400/)
  }
}
