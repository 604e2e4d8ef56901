import { anvil } from './anvil.ts'
import { besuQbft } from './besu.ts'
import type { Contender } from './contender.ts'
import { gethClique } from './geth.ts'
import { quoinDev, quoinQbft } from './quoin.ts'

export type ContenderName = 'quoin-dev' | 'quoin-qbft' | 'geth' | 'besu' | 'anvil'

/** Those that can be measured, by the name of an option. */
export const contenders: Record<ContenderName, Contender> = {
  'quoin-dev': quoinDev,
  'quoin-qbft': quoinQbft,
  geth: gethClique,
  besu: besuQbft,
  anvil,
}

export const isQuoin = (name: ContenderName): boolean => name.startsWith('quoin')
