import type { Data } from '../data.ts'
import type { Case, Suite, SuiteOptions } from '../suite.ts'
import { bftCases } from './consensus/bft.ts'
import { chainCases } from './consensus/chains.ts'
import { cliqueCases } from './consensus/clique.ts'
import { genesisCases } from './consensus/genesis.ts'

function casesOf(data: Data, options: SuiteOptions): Case[] {
  return [...bftCases(data), ...cliqueCases(data, options), ...genesisCases(data), ...chainCases(data, options)]
}

export const consensus: Suite = {
  name: 'consensus',
  doc: 'Clique, IBFT 2.0 and QBFT: extra data, hashes, seals, votes, and chains imported into a database.',
  cases: (data, options) => data.share(casesOf(data, options)),
}
