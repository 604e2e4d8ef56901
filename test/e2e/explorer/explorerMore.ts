import type { Suite } from '../suite.ts'
import { checkCliquePages, checkIbftPages } from './authorityPages.ts'
import { checkGuardedPages } from './guardedPages.ts'
import { whyNoBrowser, withBrowser } from './withBrowser.ts'
import { withNetwork } from './withNetwork.ts'

export const explorerMore: Suite = {
  name: 'explorer-more',
  doc: 'the explorer where users log in, of Clique and IBFT 2.0, with private transactions and allowlists',
  whyNot: whyNoBrowser,
  async run({ checks, folder, only }) {
    const wanted = (name: string) => only.length === 0 || only.includes(name)
    await withBrowser(async (browser) => {
      if (wanted('guarded')) await checkGuardedPages(checks, browser, folder)
      if (wanted('clique'))
        await withNetwork(folder, 'clique', ['--validators=2', '--consensus=clique'], (chain) =>
          checkCliquePages(checks, browser, chain),
        )
      if (wanted('ibft'))
        await withNetwork(folder, 'ibft', ['--validators=3', '--consensus=ibft2', '--privacy'], (chain) =>
          checkIbftPages(checks, browser, chain),
        )
    })
  },
}
