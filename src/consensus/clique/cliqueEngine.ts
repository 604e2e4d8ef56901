import type { Candidate } from '../../chain/engine.ts'
import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { validateHeaderCommon } from '../../execution/validateHeader.ts'
import { cliqueSettingsAt } from '../../forks/bftTransitions.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { CliqueConfig, CliqueSettings } from '../../forks/consensusConfig.ts'
import { type Address, compareBytes, equalBytes, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import type { Clock } from '../../system/clock.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { emptyOmmersHash, type Header, headerHash } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { checkClock } from '../checkClock.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import { withBlockError } from '../fault.ts'
import { equalValidators, indexOfValidator } from '../voting/tally.ts'
import { createTallyHistory, type HeaderReader, isEpochBlock } from '../voting/tallyHistory.ts'
import { type CliqueSigners, createCliqueSigners } from './cliqueSigners.ts'
import { cliqueVoteIn, hasCliqueVote, isAddVote } from './cliqueVote.ts'
import { decodeCliqueExtraData } from './extraData.ts'
import { cliqueSealHash } from './sealHash.ts'
import { cliqueDifficulty, findRecentBlock } from './turns.ts'

export interface CliqueEngineOptions {
  readonly spec: ChainSpec
  readonly config: CliqueConfig
  readonly clock: Clock
  /** Cache of block signers; by default they are recovered from seals. */
  readonly signers?: CliqueSigners
}

const clockTolerance = 10n

export interface CliqueEngine extends AuthorityEngine {
  validatorsAfter(block: HashedHeader, chain: HeaderReader): readonly Address[]
}

/** Clique (EIP-225): signers take turns, and each block has the seal of one signer. */
export function createCliqueEngine(options: CliqueEngineOptions): CliqueEngine {
  const { spec, config, clock, signers = createCliqueSigners() } = options
  const { epochLength } = config
  checkGenesisExtraData(spec, decodeCliqueExtraData)
  const readExtraData = ({ extraData }: Header) => withBlockError(() => decodeCliqueExtraData(extraData))
  const history = createTallyHistory({
    epochLength,
    listedIn: (header) => readExtraData(header).signers,
    voteIn: ({ header, hash }) => cliqueVoteIn(header, () => signers.of(header, hash)),
    hasVote: hasCliqueVote,
  })

  function checkForm(header: Header, { createEmptyBlocks }: CliqueSettings): void {
    if (!equalBytes(header.ommersHash, emptyOmmersHash)) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
    if (!equalBytes(header.mixHash, zeroHash))
      throw new BlockError({ code: 'MIX_HASH_MISMATCH', have: header.mixHash, want: zeroHash })
    isAddVote(header)
    if (!createEmptyBlocks && equalBytes(header.transactionsRoot, emptyTrieRoot))
      throw new BlockError({ code: 'EMPTY_BLOCK_NOT_ALLOWED' })
  }

  /** Epoch blocks must list the signers and have no vote; other blocks must list none. */
  function checkEpoch(header: Header, validators: readonly Address[]): void {
    const epoch = isEpochBlock(header.number, epochLength)
    if (!equalValidators(readExtraData(header).signers, epoch ? validators : []))
      throw new BlockError({ code: 'VALIDATORS_MISMATCH' })
    if (epoch && !equalBytes(header.beneficiary, zeroAddress)) throw new BlockError({ code: 'VOTE_NOT_ALLOWED' })
  }

  function checkTurn({ number, difficulty }: Header, signer: Address, validators: readonly Address[]): void {
    const want = cliqueDifficulty(number, signer, validators)
    if (want === undefined) throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer })
    if (difficulty !== want) throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: difficulty, want })
  }

  function checkRecent(parent: HashedHeader, signer: Address, validators: number, chain: ChainView): void {
    const recent = findRecentBlock(parent, signer, validators, chain, ({ header, hash }) => signers.of(header, hash))
    if (recent) throw new BlockError({ code: 'SIGNED_RECENTLY', signer, block: recent.header.number })
  }

  /** As Besu computes it, including the sign of remainders in Java. */
  function distanceFromTurn(block: HashedHeader, chain: ChainView): number {
    const { validators } = history.after(block, chain)
    const index = indexOfValidator(validators, signers.of(block.header, block.hash))
    return (Number(block.header.number) - (index < 0 ? validators.length : index)) % validators.length
  }

  /**
   * Anyone can make a second seal of a sealed block (s becomes n − s): another hash of the same content, with which a stranger
   * would replace the heads of all. geth and Besu take both, so neither is refused, but the first one stays: the next block
   * decides, which is heavier. Two blocks that one signer has sealed are still distinguished by their hashes.
   */
  const isSameContent = (a: Header, b: Header) => equalBytes(cliqueSealHash(a), cliqueSealHash(b))

  /** Returns a positive number if `a` is preferred (EIP-3436, with Besu's reading of its third rule). */
  function compare(a: Candidate, b: Candidate, chain: ChainView): number {
    return (
      Number(a.totalDifficulty - b.totalDifficulty) ||
      Number(b.header.number - a.header.number) ||
      distanceFromTurn(b, chain) - distanceFromTurn(a, chain) ||
      (isSameContent(a.header, b.header) ? 0 : compareBytes(b.hash, a.hash))
    )
  }

  return {
    hash: headerHash,
    validateHeader(header, parent, chain) {
      const rules = spec.rulesAt(header)
      const settings = cliqueSettingsAt(config, header)
      validateHeaderCommon(header, parent.header, spec, rules, { period: BigInt(settings.blockPeriodSeconds) })
      checkClock(header, clock, clockTolerance)
      checkForm(header, settings)
      const { validators } = history.after(parent, chain)
      const signer = signers.of(header)
      checkEpoch(header, validators)
      checkTurn(header, signer, validators)
      checkRecent(parent, signer, validators.length, chain)
      return rules
    },
    beneficiary: (header) => signers.of(header),
    reward: () => 0n,
    isBetter: (candidate, head, chain) => compare(candidate, head, chain) > 0,
    recordAfter: history.recordAfter,
    signerOf: (header) => signers.of(header),
    validatorsAfter: (block, chain) => history.after(block, chain).validators,
    tallyAfter: history.after,
  }
}
