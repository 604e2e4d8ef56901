import type { ChainSpec } from '../forks/chainSpec.ts'
import type { GenesisAccount } from '../forks/genesisFile.ts'
import { genesisHeader } from '../forks/genesisHeader.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { encodeRlp, scalar } from '../primitives/rlp.ts'
import type { StateStore } from '../state/stateStore.ts'
import { canonical } from '../store/chainTables.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/table.ts'
import type { Header } from '../types/header.ts'
import type { AccountChange, StateChanges } from '../types/stateChanges.ts'
import type { ConsensusEngine } from './engine.ts'
import { ChainError } from './fault.ts'
import {
  canonicalKey,
  keyOfBlock,
  readAllocDigest,
  readChainId,
  requireHeaderRecord,
  writeAllocDigest,
  writeBody,
  writeChainId,
  writeHeader,
  writeMark,
  writeReceipts,
} from './records.ts'
import type { HashedHeader } from './view.ts'

function accountOf({ address, balance, nonce, code, storage }: GenesisAccount): AccountChange {
  return { address, account: { nonce, balance, codeHash: keccak256(code) }, wiped: false, slots: storage }
}

/** The accounts of a genesis file, as changes to an empty state. */
export function allocation(alloc: readonly GenesisAccount[]): StateChanges {
  return {
    accounts: alloc.map(accountOf),
    codes: alloc.flatMap(({ code }) => (code.length ? [{ hash: keccak256(code), code }] : [])),
  }
}

/** Digest of a genesis file's accounts: a store that was begun with the same ones has their state root. */
function digestOf(alloc: readonly GenesisAccount[]): Hash32 {
  return keccak256(
    encodeRlp(
      alloc.map(({ address, balance, nonce, code, storage }) => [
        address,
        scalar(balance),
        scalar(nonce),
        code,
        storage.map(({ slot, value }) => [slot, value]),
      ]),
    ),
  )
}

/** Writes block 0 of the network. */
function writeGenesis(txn: Transaction, spec: ChainSpec, states: StateStore, consensus: ConsensusEngine): HashedHeader {
  const stateRoot = states.commit(txn, 0, allocation(spec.genesis.alloc))
  const hashed = genesisWith(stateRoot, spec, consensus)
  const { header } = hashed
  const key = keyOfBlock(hashed)
  writeHeader(txn, { ...hashed, totalDifficulty: header.difficulty })
  writeBody(txn, key, { transactions: [], ommers: [], withdrawals: header.withdrawalsRoot && [] })
  writeReceipts(txn, key, [])
  txn.put(canonical, 0, hashed.hash)
  writeMark(txn, 'head', hashed.hash)
  writeAllocDigest(txn, digestOf(spec.genesis.alloc))
  writeChainId(txn, spec.chainId)
  return hashed
}

/**
 * Returns the genesis block of a store; writes it if the store is empty, throws if it is that of another network: of another
 * genesis block, or, which the block does not contain, of another chain id.
 */
export function openGenesis(
  store: Store,
  spec: ChainSpec,
  states: StateStore,
  consensus: ConsensusEngine,
): HashedHeader {
  const stored = store.read((reader) => {
    const key = canonicalKey(reader, 0n)
    if (!key) return undefined
    return { ...requireHeaderRecord(reader, key), allocDigest: readAllocDigest(reader), chainId: readChainId(reader) }
  })
  if (!stored) return store.write((txn) => writeGenesis(txn, spec, states, consensus))
  const isSameAlloc = stored.allocDigest && equalBytes(stored.allocDigest, digestOf(spec.genesis.alloc))
  // The root of many accounts takes longer than all else of opening a chain.
  const genesis = isSameAlloc
    ? genesisWith(stored.header.stateRoot, spec, consensus)
    : genesisOf(spec, states, consensus)
  if (!equalBytes(genesis.hash, stored.hash))
    throw new ChainError(
      hasFormerBaseFee(stored.header, spec)
        ? { code: 'FORMER_BASE_FEE' }
        : { code: 'GENESIS_MISMATCH', have: stored.hash, want: genesis.hash },
    )
  const { chainId } = stored
  if (chainId !== undefined && chainId !== spec.chainId)
    throw new ChainError({ code: 'CHAIN_ID_MISMATCH', have: chainId, want: spec.chainId })
  return genesis
}

/** Until November 2026 the first block of a network with `zeroBaseFee` had no base fee where its file names none; that of Besu has one. */
export const hasFormerBaseFee = (stored: Header, { zeroBaseFee, genesis }: ChainSpec): boolean =>
  zeroBaseFee && genesis.baseFee === undefined && stored.baseFee === 0n

/** The genesis block of a network. */
export function genesisOf(
  spec: ChainSpec,
  states: Pick<StateStore, 'rootOfFresh'>,
  consensus: Pick<ConsensusEngine, 'hash'>,
): HashedHeader {
  return genesisWith(states.rootOfFresh(allocation(spec.genesis.alloc)), spec, consensus)
}

function genesisWith(stateRoot: Hash32, spec: ChainSpec, consensus: Pick<ConsensusEngine, 'hash'>): HashedHeader {
  const header = genesisHeader(spec, stateRoot)
  return { header, hash: consensus.hash(header) }
}
