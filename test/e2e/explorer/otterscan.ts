import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Hex, toFunctionSelector } from 'viem'
import type { Checks } from '../../interop/checks.ts'
import { type ToolChain, withDevChain } from '../../interop/toolChain.ts'
import type { Suite } from '../suite.ts'
import { hostile } from './hostileToken.ts'
import { createSender } from './sender.ts'
import { makeStory, receiver, type Story } from './story.ts'
import { whyNoBrowser, withBrowser } from './withBrowser.ts'

/** Names the folder of Otterscan's built page. */
const variable = 'QUOIN_OTTERSCAN'
const patience = 90_000
const transfers = 40
const pageSize = 25

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** Serves Otterscan's page, which asks the node at `erigonURL`. */
async function servePage(folder: string, erigonURL: string): Promise<{ readonly url: string; close(): void }> {
  const chainInfo = { name: 'Quoin', faucets: [], nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
  const config = JSON.stringify({ erigonURL, assetsURLPrefix: '', chainInfo })
  const server = createServer(({ url }, response) => {
    const path = new URL(url!, 'http://localhost').pathname
    if (path === '/config.json') return response.end(config)
    // Names of functions and tokens are in another package, which is not there.
    if (/^\/(signatures|topic0|assets\/1337|chains)\//.test(path)) return response.writeHead(404).end()
    const file = extname(path) && existsSync(join(folder, path)) ? join(folder, path) : join(folder, 'index.html')
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Otterscan's pages against JSON-RPC. */
async function checkPages(checks: Checks, page: Page, url: string, chain: ToolChain, sender: Hex, story: Story) {
  const main = page.locator('body')
  const open = (path: string) => page.goto(`${url}/${path}`)
  const sees = (name: string, text: string | RegExp) =>
    checks.step(name, () => main.filter({ hasText: text }).first().waitFor({ timeout: patience }))

  await open('')
  await sees('home: latest block', `Latest block: ${Number(await chain.call<Hex>('eth_blockNumber'))}`)

  const block = await chain.call<{ hash: Hex; transactions: Hex[] }>('eth_getBlockByNumber', '0x2', false)
  await open('block/2')
  await sees('block: hash', block.hash)
  await sees('block: reward and fees', /Block Reward:\s*0\.0\d+ ETH/)
  await open('block/2/txs')
  await sees('transactions of a block', block.transactions[0]!)

  await open(`tx/${story.transfer}`)
  await sees('transaction: success', 'Success')
  await sees('transaction: sender', sender)
  await open(`tx/${story.transfer}/logs`)
  await sees('transaction: its log, with the name of the token as text', hostile.name)
  await open(`tx/${story.nested}/trace`)
  await sees('transaction: calls by their selectors', toFunctionSelector('transfer(address,uint256)'))
  await open(`tx/${story.transfer}/statediff`)
  await sees('transaction: changes of the state', /nonce\s*-\s*1\s*\+\s*2/)
  await open(`tx/${story.failure}`)
  await sees('transaction: failure with its reason', hostile.revert.slice(0, 20))

  const creator = await chain.call<{ hash: Hex }>('ots_getContractCreator', story.token)
  await open(`address/${story.token}`)
  await sees('contract: creation', creator.hash)
  await sees('contract: its transactions', story.nested)

  await open(`address/${sender}`)
  await sees('account: first page', `${pageSize} transactions on this page`)
  const newest = await page.locator('[data-test="tx-hash"]').first().innerText()
  const head = await chain.call<{ transactions: Hex[] }>('eth_getBlockByNumber', 'latest', false)
  checks.equal('account: the newest transaction is first', newest, head.transactions[0])
  await page.locator('[data-test="nav-next"]').first().click()
  await sees('account: second page', `${transfers + 4 - pageSize} transactions on this page`)

  await open(`search?q=${story.transfer}`)
  await sees('search: a transaction', 'Transaction Details')
}

async function check(checks: Checks, browser: Browser, chain: ToolChain): Promise<void> {
  const sender = createSender(chain.url)
  const story = await makeStory(sender)
  for (let i = 1; i <= transfers; i++) await sender.mine({ to: receiver, value: BigInt(i) })
  const served = await servePage(process.env[variable]!, chain.url)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    await checkPages(checks, await context.newPage(), served.url, chain, sender.address, story)
  } finally {
    await context.close()
    served.close()
  }
}

export const otterscan: Suite = {
  name: 'otterscan',
  doc: `Otterscan's own page on a development network (${variable}: the folder that its build has written)`,
  onlyByName: true,
  whyNot: () => whyNoBrowser() ?? (process.env[variable] ? undefined : `${variable} names no built page of Otterscan`),
  run: ({ checks, folder }) =>
    withBrowser((browser) =>
      withDevChain(folder, (chain) => check(checks, browser, chain), [
        '--rpc-http-cors-origins=*',
        '--rpc-http-api=ETH,NET,WEB3,OTS,DEBUG,TRACE',
      ]),
    ),
}
