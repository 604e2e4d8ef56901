import type { Suite } from './suite.ts'
import { basic } from './suites/basic.ts'
import { besuAccess } from './suites/besuAccess.ts'
import { besuConfig } from './suites/besuConfig.ts'
import { besuGraphql } from './suites/besuGraphql.ts'
import { besuLive } from './suites/besuLive.ts'
import { besuLiveGraphql } from './suites/besuLiveGraphql.ts'
import { besuMessages } from './suites/besuMessages.ts'
import { besuPrivacy } from './suites/besuPrivacy.ts'
import { besuRpc } from './suites/besuRpc.ts'
import { blockchain } from './suites/blockchain.ts'
import { chains } from './suites/chains.ts'
import { consensus } from './suites/consensus.ts'
import { difficulty } from './suites/difficulty.ts'
import { executionApis } from './suites/executionApis.ts'
import { genesis } from './suites/genesis.ts'
import { hiveGraphql } from './suites/hiveGraphql.ts'
import { rlp } from './suites/rlp.ts'
import { state, stateSlow } from './suites/state.ts'
import { transaction } from './suites/transaction.ts'
import { trie } from './suites/trie.ts'
import { vm } from './suites/vm.ts'

/** Every suite, in the order in which `all` runs them. */
export const suites: readonly Suite[] = [
  rlp,
  trie,
  transaction,
  difficulty,
  basic,
  genesis,
  chains,
  consensus,
  besuMessages,
  vm,
  state,
  blockchain,
  stateSlow,
  executionApis,
  besuRpc,
  besuLive,
  besuGraphql,
  hiveGraphql,
  besuLiveGraphql,
  besuConfig,
  besuAccess,
  besuPrivacy,
]

export function suiteNamed(name: string): Suite | undefined {
  return suites.find((suite) => suite.name === name)
}
