import { cpSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually, heightOf } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { freePort } from '../../support/freePort.ts'
import type { Suite } from '../suite.ts'
import { busy, prepareScaleChain } from './scaleChain.ts'
import { whyNoBrowser, withBrowser } from './withBrowser.ts'

/** Milliseconds after which a page must be usable. */
const maxTime = 1000
const repeats = 5

/** Opens a page in a new window, without anything that the browser kept; returns how long it took until `isUsable` passed. */
async function timeOf(browser: Browser, url: string, isUsable: (page: Page) => Promise<unknown>): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    const started = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await isUsable(page)
    return performance.now() - started
  } finally {
    await context.close()
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!

export const explorerScale: Suite = {
  name: 'explorer-scale',
  doc: 'first page and the page of an account with 100,000 transactions, with a million blocks (QUOIN_SCALE_BLOCKS)',
  onlyByName: true,
  whyNot: whyNoBrowser,
  async run({ checks, folder }) {
    const blocks = Number(process.env['QUOIN_SCALE_BLOCKS'] ?? 1_000_000)
    const chain = await prepareScaleChain(blocks, checks.note)
    const data = join(folder, 'data')
    cpSync(chain.data, data, { recursive: true })
    const [httpPort, port] = [await freePort(), await freePort()]
    const node = createNodeProcess({
      name: 'scale',
      httpPort,
      logFile: join(folder, 'scale.log'),
      command: process.execPath,
      args: [
        ...[quoinProgram, `--genesis-file=${chain.genesis}`, `--data-path=${data}`, '--p2p-enabled=false'],
        ...['--rpc-http-enabled', `--rpc-http-port=${httpPort}`, '--rpc-http-api=ETH,NET,WEB3,OTS,DEBUG,TXPOOL'],
        ...['--explorer-enabled', `--explorer-http-port=${port}`],
      ],
    })
    await stopAll([node], () =>
      withBrowser(async (browser) => {
        node.start()
        await eventually('the node answers', async () => (await heightOf(node)) === blocks)
        const rows = (page: Page, name: string) => page.getByRole('region', { name }).locator('tbody a[href^="#/"]')
        async function check(name: string, route: string, isUsable: (page: Page) => Promise<unknown>): Promise<void> {
          const times: number[] = []
          for (let i = 0; i < repeats; i++) {
            const time = await checks.step(`${name} opens`, () =>
              timeOf(browser, `http://127.0.0.1:${port}/${route}`, isUsable),
            )
            times.push(time ?? Number.POSITIVE_INFINITY)
          }
          checks.note(`${name}: ${times.map(Math.round).join(', ')} ms, load ${loadavg()[0]!.toFixed(1)}`)
          checks.equal(`${name} is usable within a second (median)`, median(times) < maxTime, true)
        }
        await check(`first page of ${blocks} blocks`, '', async (page) => {
          await page.locator(`.big[data-head="${blocks}"]`).waitFor()
          await page.locator('.charts canvas').nth(2).waitFor()
          await rows(page, 'Latest blocks').nth(8).waitFor()
        })
        await check('account with 100,000 transactions', `#/address/${busy}`, (page) =>
          rows(page, 'Transactions').nth(24).waitFor(),
        )
        await check('an older page of its transactions', `#/address/${busy}?before=500`, (page) =>
          rows(page, 'Transactions').nth(24).waitFor(),
        )
        await check('a block in the middle', `#/block/${blocks / 2}`, (page) =>
          page.locator('.facts .hex').first().waitFor(),
        )
      }),
    )
  },
}
