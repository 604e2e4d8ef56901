import type { Candidate } from '../../src/chain/engine.ts'
import type { ChainView, HashedHeader } from '../../src/chain/view.ts'
import { type CliqueEngine, createCliqueEngine } from '../../src/consensus/clique/cliqueEngine.ts'
import type { CliqueBlockPlan } from '../../src/consensus/clique/cliqueMachine.ts'
import { createCliqueSigners } from '../../src/consensus/clique/cliqueSigners.ts'
import { cliqueGenesisExtraData } from '../../src/consensus/clique/extraData.ts'
import { sealCliqueHeader } from '../../src/consensus/clique/sealHeader.ts'
import { findRecentBlock } from '../../src/consensus/clique/turns.ts'
import { sealLength } from '../../src/consensus/recoverSeal.ts'
import { indexOfValidator } from '../../src/consensus/voting/tally.ts'
import { isEpochBlock } from '../../src/consensus/voting/tallyHistory.ts'
import type { Votes } from '../../src/consensus/voting/votes.ts'
import { BlockError } from '../../src/execution/fault.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import type { CliqueConfig } from '../../src/forks/consensusConfig.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { type Address, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import type { Block } from '../../src/types/block.ts'
import { blankHeader, headerHash } from '../../src/types/header.ts'
import { type Authority, cliqueBlock, cliqueGenesis } from '../support/authorityChain.ts'
import { createElections, type ElectionRules, type Miscount } from './elections.ts'
import { headersOnly } from './headersOnly.ts'
import type { SimCrypto } from './simCrypto.ts'
import { startTime } from './world.ts'

/** A block that somebody has made, with the weight of its branch. */
export interface CliqueEntry extends Candidate {
  /** Undefined for the block that everyone starts with. */
  readonly block: Block | undefined
}

/** What is true of Clique blocks, no matter who looks at them; the real engine decides. */
export interface CliqueLaw {
  readonly genesis: CliqueEntry
  readonly engine: CliqueEngine
  entryOf(hash: Hash32): CliqueEntry | undefined
  parentOf(entry: HashedHeader): CliqueEntry | undefined
  signersAfter(head: HashedHeader): readonly Address[]
  /** The same, counted with nothing of the node's. */
  signersByCount(head: HashedHeader): readonly Address[]
  /** The same, counted wrongly. */
  signersBy(miscount: Miscount): (head: HashedHeader) => readonly Address[]
  mustWait(address: Address, head: HashedHeader, signers: number): boolean
  build(by: Authority, plan: CliqueBlockPlan, votes: Votes | undefined, mark: Uint8Array): Block
  /** The fault for which a block is refused by one whose clock says `now`, or the block's place. */
  judge(block: Block, parent: CliqueEntry, now: number): string | CliqueEntry
  isBetter(candidate: CliqueEntry, head: CliqueEntry): boolean
}

export function createCliqueLaw(config: CliqueConfig, keys: readonly Authority[], signatures: SimCrypto): CliqueLaw {
  const { epochLength, blockPeriodSeconds } = config
  const spec = createChainSpec(
    toGenesisFile(cliqueGenesis(keys, { epochlength: epochLength, blockperiodseconds: blockPeriodSeconds })),
  )
  const { recover } = signatures.of(keys[0]!)
  const signers = createCliqueSigners((digest, seal) => {
    const signer = recover(digest, seal)
    if (!signer) throw new BlockError({ code: 'SEAL_INVALID' })
    return signer
  })
  let clock = startTime
  const engine = createCliqueEngine({ spec, config, clock: { now: () => clock, after: () => () => {} }, signers })
  const header = {
    ...blankHeader,
    gasLimit: 0x1000000n,
    difficulty: 1n,
    timestamp: BigInt(startTime / 1000),
    extraData: cliqueGenesisExtraData(keys.map(({ address }) => address)),
  }
  const genesis = { header, hash: headerHash(header), totalDifficulty: 1n, block: undefined }
  const entries = new Map<string, CliqueEntry>([[keyOf(genesis.hash), genesis]])
  const entryOf = (hash: Hash32) => entries.get(keyOf(hash))
  // Of a chain the engine asks for headers only.
  const view = headersOnly(entryOf) as ChainView

  const elections: ElectionRules = {
    first: keys.map(({ address }) => address),
    epochLength,
    namedFor: () => undefined,
    voteIn(block) {
      const { beneficiary: on, nonce } = block.header
      return on.some((byte) => byte > 0)
        ? { by: signers.of(block.header, block.hash), on, add: nonce[0] === 0xff }
        : undefined
    },
    parentOf: ({ header: { parentHash } }) => entryOf(parentHash)!,
  }

  return {
    genesis,
    engine,
    signersByCount: createElections(elections),
    signersBy: (miscount) => createElections(elections, miscount),
    entryOf,
    parentOf: ({ header: { parentHash } }) => entryOf(parentHash),
    signersAfter: (head) => engine.validatorsAfter(head, view),
    mustWait: (address, head, count) =>
      findRecentBlock(head, address, count, view, (block) => signers.of(block.header, block.hash)) !== undefined,
    build(by, plan, votes, mark) {
      const { parent, timestamp, difficulty } = plan
      const isEpoch = isEpochBlock(parent.header.number + 1n, epochLength)
      const tally = isEpoch ? undefined : engine.tallyAfter(parent, view)
      const vote = tally && votes?.choose(tally, by.address)
      const vanity = new Uint8Array(32)
      vanity.set(mark)
      const unsealed = cliqueBlock(parent, {
        signer: by,
        among: keys.filter(({ address }) => indexOfValidator(plan.signers, address) >= 0),
        ...(vote && { vote }),
        header: { timestamp, difficulty },
        extraData: { vanity, signers: isEpoch ? plan.signers : [], seal: new Uint8Array(sealLength) },
      })
      return { ...unsealed, header: sealCliqueHeader(unsealed.header, signatures.of(by).sign) }
    },
    judge(block, parent, now) {
      clock = now
      try {
        engine.validateHeader(block.header, parent, view)
      } catch (error) {
        if (error instanceof BlockError) return error.at.code
        throw error
      }
      const hash = headerHash(block.header)
      const totalDifficulty = parent.totalDifficulty + block.header.difficulty
      const entry = entryOf(hash) ?? { header: block.header, hash, totalDifficulty, block }
      entries.set(keyOf(hash), entry)
      return entry
    },
    isBetter: (candidate, head) => engine.isBetter(candidate, head, view),
  }
}
