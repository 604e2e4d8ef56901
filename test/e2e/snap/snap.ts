import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Suite } from '../suite.ts'
import { killJoiners } from './killJoiners.ts'
import { meetLiars } from './meetLiars.ts'
import { genesis, startSource } from './source.ts'

/** Blocks of the chain that is joined. */
const heights = { full: 1200, fast: 300 }
export const snapSuite: Suite = {
  name: 'snap',
  doc: 'a node that joins by the state of a recent block, killed in each phase, and among liars',
  onlyByName: true,
  async run(terms) {
    const { folder, fast, checks } = terms
    const genesisFile = join(folder, 'genesis.json')
    mkdirSync(folder, { recursive: true })
    writeFileSync(genesisFile, JSON.stringify(genesis))
    const height = fast ? heights.fast : heights.full
    const source = startSource(join(folder, 'source'), height)
    checks.note(`a chain of ${height} blocks`)
    try {
      await killJoiners({ ...terms, source, genesisFile })
      await meetLiars({ ...terms, source, genesisFile })
    } finally {
      await source.close(true)
    }
  },
}
