import { join } from 'node:path'
import { hardhat2Packages } from '../interop/hardhat2.ts'
import type { Packages } from '../interop/packages.ts'
import { quorumPackages } from '../interop/privacyClient.ts'
import { runApart, whyNotApart } from './docs/runApart.ts'
import type { Suite } from './suite.ts'

/** Packages beyond those of this repository, by the page whose readers install them. */
const pages: readonly (readonly [page: string, packages?: Packages])[] = [
  ['examples/README.md'],
  ['examples/privacy/README.md', quorumPackages],
  ['examples/hardhat/README.md', hardhat2Packages],
]

export const examples: Suite = {
  name: 'examples',
  doc: 'the programs in examples/, as their pages say',
  whyNot: whyNotApart,
  async run(terms) {
    const { only, checks } = terms
    for (const [page, packages] of pages) {
      if (only.length > 0 && !only.some((text) => page.includes(text))) continue
      const reason = await packages?.fetch()
      if (reason) checks.note(`${page} was not run: ${reason}`)
      else await runApart(page, terms, { modules: packages && join(packages.folder, 'node_modules') })
    }
  },
}
