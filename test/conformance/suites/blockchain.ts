import { type BlockTest, runBlockTest } from '../../../src/evmtool/blockTest.ts'
import { engineOf } from '../engines.ts'
import type { Suite } from '../suite.ts'

export const blockchain: Suite = {
  name: 'blockchain',
  doc: 'BlockchainTests: whole chains with valid and invalid blocks, branches and changes of rules.',
  async *cases(data, options) {
    for await (const { path, name, test } of data.entries({ bundles: /^blockchain/, folders: ['BlockchainTests'] }))
      yield { name: `${path} ${name}`, run: () => runBlockTest(test as BlockTest, engineOf(options.engine)) }
  },
}
