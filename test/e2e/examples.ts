import { join } from 'node:path'
import { createPackages } from '../interop/packages.ts'
import { runApart, whyNotApart } from './docs/runApart.ts'
import type { Suite } from './suite.ts'

const quorum = createPackages('web3js-quorum', ['web3@1.10.4', 'web3js-quorum@22.4.0'])

export const examples: Suite = {
  name: 'examples',
  doc: 'the programs in examples/, as their pages say',
  whyNot: whyNotApart,
  async run(terms) {
    await runApart('examples/README.md', terms)
    const reason = await quorum.fetch()
    if (reason) terms.checks.note(`examples/privacy was not run: ${reason}`)
    else await runApart('examples/privacy/README.md', terms, join(quorum.folder, 'node_modules'))
  },
}
