import type { Browser } from 'playwright-core'
import type { Hex } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import type { ToolChain } from '../../interop/toolChain.ts'
import { visit } from './visitor.ts'

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
    await page.getByRole('button', { name: /execute query/i }).click()
    const { hash } = await chain.call<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
    await visitor.sees(`${path}: the sample query is answered`, page.locator('.result-window'), hash)
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('{ chainID nothing }')
    await page.keyboard.press('ControlOrMeta+Enter')
    await visitor.sees(`${path}: a query with a fault`, page.locator('.result-window'), /nothing/)
    await visitor.picture('graphiql')
  } finally {
    // A query with a fault has status 400.
    await visitor.leave(/status of 400/)
  }
}
