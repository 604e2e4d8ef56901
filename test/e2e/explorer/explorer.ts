import { join } from 'node:path'
import { withDevChain } from '../../interop/toolChain.ts'
import { freePort } from '../../support/freePort.ts'
import type { Suite } from '../suite.ts'
import { checkDevPages } from './devPages.ts'
import { checkEmptyPages } from './emptyPages.ts'
import { checkGraphiql } from './graphiqlPages.ts'
import { checkNetworkPages } from './networkPages.ts'
import { checkStrangerPages } from './strangerPages.ts'
import { checkTokenPages } from './tokenPages.ts'
import { whyNoBrowser, withBrowser } from './withBrowser.ts'
import { withNetwork } from './withNetwork.ts'

export const explorer: Suite = {
  name: 'explorer',
  doc: 'every page of the explorer in Chromium: empty, full, failing, of strangers; --only dev, tokens, strangers, network',
  whyNot: whyNoBrowser,
  async run({ checks, folder, only }) {
    const wanted = (name: string) => only.length === 0 || only.includes(name)
    await withBrowser(async (browser) => {
      const [port, graphqlPort] = [await freePort(), await freePort()]
      const url = `http://127.0.0.1:${port}`
      const options = [`--explorer-http-port=${port}`, '--graphql-http-enabled', `--graphql-http-port=${graphqlPort}`]
      if (wanted('dev'))
        await withDevChain(
          folder,
          async (chain) => {
            await checkEmptyPages(checks, browser, url)
            await checkDevPages(checks, browser, chain, url)
            await checkGraphiql(checks, browser, chain, `${url}/`, 'graphiql.html')
            await checkGraphiql(checks, browser, chain, `http://127.0.0.1:${graphqlPort}/`, 'graphql')
          },
          options,
        )
      if (wanted('tokens')) {
        const tokenPort = await freePort()
        await withDevChain(
          join(folder, 'tokens'),
          (chain) => checkTokenPages(checks, browser, chain, `http://127.0.0.1:${tokenPort}`),
          [`--explorer-http-port=${tokenPort}`],
        )
      }
      if (wanted('strangers')) await checkStrangerPages(checks, browser, folder)
      if (wanted('network'))
        await withNetwork(folder, 'network', ['--validators=4'], (chain) => checkNetworkPages(checks, browser, chain))
    })
  },
}
