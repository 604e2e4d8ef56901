import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../../interop/chromium.ts'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually, heightOf } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { type ToolChain, withDevChain } from '../../interop/toolChain.ts'
import { freePort } from '../../support/freePort.ts'
import type { Suite } from '../suite.ts'
import { checkDevPages } from './devPages.ts'
import { checkNetworkPages } from './networkPages.ts'

/** The whole path of a program in PATH, which the driver of the browser wants. */
function pathOf(program: string): string {
  const folders = isAbsolute(program) ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(isProgram) ?? program
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Does something with `quoin network` of four validators, and the address of its explorer. */
async function withNetwork(folder: string, action: (chain: ToolChain, url: string) => Promise<void>): Promise<void> {
  const httpPort = Math.min(await freePort(), 60_000)
  const args = [
    quoinProgram,
    'network',
    '--validators=4',
    `--base-port=${httpPort}`,
    `--dir=${join(folder, 'network')}`,
  ]
  const node = createNodeProcess({
    name: 'network',
    httpPort,
    logFile: join(folder, 'network.log'),
    command: process.execPath,
    args,
  })
  await stopAll([node], async () => {
    node.start()
    await eventually('the network makes blocks', async () => (await heightOf(node)) > 5)
    const chain = { name: 'network', url: `http://127.0.0.1:${httpPort}`, wsUrl: '', call: node.call }
    await action(chain, `http://127.0.0.1:${httpPort + 3}`)
  })
}

export const explorer: Suite = {
  name: 'explorer',
  doc: 'every page of the explorer in Chromium: the development chain, and four validators under load',
  whyNot: () => (findChromium() ? undefined : 'there is no Chromium in PATH, and CHROMIUM names none'),
  async run({ checks, folder, only }) {
    const wanted = (name: string) => only.length === 0 || only.includes(name)
    const browser = await chromium.launch({ executablePath: pathOf(findChromium()!), args: ['--no-sandbox'] })
    try {
      const port = await freePort()
      if (wanted('dev'))
        await withDevChain(folder, (chain) => checkDevPages(checks, browser, chain, `http://127.0.0.1:${port}`), [
          `--explorer-http-port=${port}`,
        ])
      if (wanted('network')) await withNetwork(folder, (chain, url) => checkNetworkPages(checks, browser, chain, url))
    } finally {
      await browser.close()
    }
  },
}
