import { bench as index } from './accountIndex.ts'
import { bench as disk } from './disk.ts'
import { bench as evm } from './evm.ts'
import { bench as graphql } from './graphql.ts'
import { bench as importing } from './import.ts'
import { bench as isolation } from './isolation.ts'
import { bench as keccak } from './keccak.ts'
import { bench as logs } from './logs.ts'
import { bench as pool } from './pool.ts'
import { bench as privacy } from './privacy.ts'
import { bench as qbft } from './qbft.ts'
import { bench as recover } from './recover.ts'
import { bench as rlp } from './rlp.ts'
import { bench as rpc } from './rpc.ts'
import { bench as start } from './start.ts'
import { bench as stateReads } from './stateReads.ts'
import { bench as subscribers } from './subscribers.ts'
import { bench as sync } from './sync.ts'
import type { Bench } from './table.ts'
import { bench as tokens } from './tokenPages.ts'
import { bench as trace } from './trace.ts'
import { bench as trie } from './trie.ts'

/** Every bench, in the order of the performance page. */
export const benches: readonly Bench[] = [
  rlp,
  keccak,
  recover,
  pool,
  trie,
  stateReads,
  evm,
  importing,
  index,
  sync,
  disk,
  rpc,
  start,
  qbft,
  privacy,
  subscribers,
  isolation,
  logs,
  graphql,
  tokens,
  trace,
]
