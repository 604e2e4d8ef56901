import type { Candidate } from '../../src/chain/engine.ts'
import type { ChainView } from '../../src/chain/view.ts'
import { type AuthorityEngine, isAuthorityEngine } from '../../src/consensus/authorityEngine.ts'
import { bftCommitHash } from '../../src/consensus/bft/bftHash.ts'
import type { BftCrypto } from '../../src/consensus/bft/machine.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { createConsensus } from '../../src/consensus/createConsensus.ts'
import { ibft2Codec } from '../../src/consensus/ibft2/ibft2Codec.ts'
import { ibft2Protocol } from '../../src/consensus/ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { BlockError } from '../../src/execution/fault.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import type { BftConfig, CliqueConfig } from '../../src/forks/consensusConfig.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { genesisHeader } from '../../src/forks/genesisHeader.ts'
import { type Address, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { emptyTrieRoot } from '../../src/types/account.ts'
import type { Block } from '../../src/types/block.ts'
import type { Header } from '../../src/types/header.ts'
import { type Authority, bftGenesis, cliqueGenesis } from '../support/authorityChain.ts'
import { headersOnly } from './headersOnly.ts'
import { startTime, Violation } from './world.ts'

/** Which engine a network begins with; all go on with QBFT. */
export type FirstEngine = 'ibft2' | 'clique'

/** A network that changes its engine. */
export interface MigrationSetting {
  readonly from: FirstEngine
  readonly keys: readonly Authority[]
  /** QBFT's first block. */
  readonly startBlock: number
  readonly period: number
  readonly requestTimeoutSeconds: number
  /** Validators that the genesis file names for QBFT's first block. */
  readonly named: readonly Authority[] | undefined
}

/** A block in the tree of all that were made. */
export interface Entry extends Candidate {
  /** Undefined for the block that everyone starts with. */
  readonly block: Block | undefined
}

/** What is true of the blocks of such a network; the real engines decide, by a real genesis file. */
export interface MigrationLaw {
  readonly engine: AuthorityEngine
  readonly config: BftConfig | CliqueConfig
  readonly view: ChainView
  readonly genesis: Entry
  entryOf(hash: Hash32): Entry | undefined
  /** The fault for which a block is refused by one whose clock says `now`, or its place. */
  judge(block: Block, now: number): string | Entry
  /** The fault of a proposal: as above, seals aside. */
  faultOfProposal(block: Block, now: number): string | undefined
}

const hexOf = (list: readonly Authority[]) => list.map(({ address }) => toHex(address))

function genesisOf({ from, keys, startBlock, period, requestTimeoutSeconds, named }: MigrationSetting): object {
  const terms = { blockperiodseconds: period, requesttimeoutseconds: requestTimeoutSeconds }
  const config = {
    qbft: { ...terms, startblock: startBlock },
    transitions: { qbft: named ? [{ block: startBlock, validators: hexOf(named) }] : [] },
  }
  const genesis =
    from === 'ibft2'
      ? bftGenesis(ibft2Codec, keys, { ibft2: terms, ...config })
      : cliqueGenesis(keys, { blockperiodseconds: period }, config)
  return { ...genesis, timestamp: `0x${(startTime / 1000).toString(16)}` }
}

export function createMigrationLaw(setting: MigrationSetting): MigrationLaw {
  const spec = createChainSpec(toGenesisFile(genesisOf(setting)))
  const { consensus: config } = spec
  if (config.kind !== 'ibft2' && config.kind !== 'clique') throw new TypeError('another engine')
  let clock = startTime
  const engine = createConsensus(spec, { clock: { now: () => clock, after: () => () => {} } })
  if (!isAuthorityEngine(engine)) throw new TypeError('another engine')
  const header = genesisHeader(spec, emptyTrieRoot)
  const genesis: Entry = { header, hash: engine.hash(header), totalDifficulty: 1n, block: undefined }
  const entries = new Map([[keyOf(genesis.hash), genesis]])
  const entryOf = (hash: Hash32) => entries.get(keyOf(hash))
  // Of a chain the engines ask for headers only.
  const view = headersOnly(entryOf) as ChainView

  function faultOf(check: AuthorityEngine['validateHeader'], { header: given }: Block, now: number) {
    const parent = entryOf(given.parentHash)
    if (!parent) return 'no parent'
    clock = now
    try {
      check(given, parent, view)
      return undefined
    } catch (error) {
      if (error instanceof BlockError) return error.at.code
      throw error
    }
  }

  return {
    engine,
    config,
    view,
    genesis,
    entryOf,
    judge(block, now) {
      const fault = faultOf(engine.validateHeader, block, now)
      if (fault !== undefined) return fault
      const hash = engine.hash(block.header)
      const { totalDifficulty } = entryOf(block.header.parentHash)!
      const made = { header: block.header, hash, totalDifficulty: totalDifficulty + block.header.difficulty, block }
      const entry = entryOf(hash) ?? made
      entries.set(keyOf(hash), entry)
      return entry
    },
    faultOfProposal: (block, now) => faultOf(engine.validateProposal ?? engine.validateHeader, block, now),
  }
}

/** Who decides on a block, by the setting alone. */
export function validatorsAt({ keys, named, startBlock }: MigrationSetting, number: bigint): readonly Address[] {
  return (number >= BigInt(startBlock) ? (named ?? keys) : keys).map(({ address }) => address)
}

/** The protocol in which a block is agreed on; undefined where each signer makes its own. */
export function protocolAt({ from, startBlock }: MigrationSetting, number: bigint): BftProtocol | undefined {
  if (number >= BigInt(startBlock)) return qbftProtocol
  return from === 'ibft2' ? ibft2Protocol : undefined
}

/** Throws unless the right engine of the block's height, and a quorum of the right validators, have made it final. */
export function checkFinal(setting: MigrationSetting, header: Header, recover: BftCrypto['recover']): void {
  const protocol = protocolAt(setting, header.number)
  if (!protocol) return
  const validators = new Set(validatorsAt(setting, header.number).map(keyOf))
  const sealers = new Set<string>()
  try {
    const data = protocol.codec.decode(header.extraData)
    const digest = bftCommitHash(protocol.codec, header, data)
    for (const seal of data.seals) {
      const sealer = recover(digest, seal)
      if (sealer && validators.has(keyOf(sealer))) sealers.add(keyOf(sealer))
    }
  } catch (error) {
    throw new Violation(`block ${header.number} is not one of ${protocol.name}: ${String(error)}`)
  }
  if (3 * sealers.size < 2 * validators.size)
    throw new Violation(`block ${header.number} has ${sealers.size} seals of ${protocol.name}`)
}
