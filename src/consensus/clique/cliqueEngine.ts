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

const readExtraData = ({ extraData }: Header) => withBlockError(() => decodeCliqueExtraData(extraData))

function checkForm(header: Header, { createEmptyBlocks }: CliqueSettings): void {
  if (!equalBytes(header.ommersHash, emptyOmmersHash)) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
  if (!equalBytes(header.mixHash, zeroHash))
    throw new BlockError({ code: 'MIX_HASH_MISMATCH', have: header.mixHash, want: zeroHash })
  isAddVote(header)
  if (!createEmptyBlocks && equalBytes(header.transactionsRoot, emptyTrieRoot))
    throw new BlockError({ code: 'EMPTY_BLOCK_NOT_ALLOWED' })
}

function checkTurn({ number, difficulty }: Header, signer: Address, validators: readonly Address[]): void {
  const want = cliqueDifficulty(number, signer, validators)
  if (want === undefined) throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer })
  if (difficulty !== want) throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: difficulty, want })
}

/**
 * Anyone can make a second seal of a sealed block (s becomes n − s): another hash of the same content, with which a stranger
 * would replace the heads of all. geth and Besu take both, so neither is refused, but the first one stays: the next block
 * decides, which is heavier. Two blocks that one signer has sealed are still distinguished by their hashes.
 */
const isSameContent = (a: Header, b: Header) => equalBytes(cliqueSealHash(a), cliqueSealHash(b))

/** What a header of Clique has to say, by whom it may be made, and who the signers after it are. */
class CliqueRules implements CliqueEngine {
  private readonly spec: ChainSpec
  private readonly config: CliqueConfig
  private readonly clock: Clock
  private readonly signers: CliqueSigners
  private readonly epochLength: number
  private readonly history: ReturnType<typeof createTallyHistory>
  readonly hash: CliqueEngine['hash'] = headerHash
  readonly recordAfter: NonNullable<CliqueEngine['recordAfter']>
  readonly tallyAfter: CliqueEngine['tallyAfter']

  constructor(options: CliqueEngineOptions) {
    const { spec, config, clock, signers = createCliqueSigners() } = options
    this.spec = spec
    this.config = config
    this.clock = clock
    this.signers = signers
    const { epochLength } = config
    this.epochLength = epochLength
    checkGenesisExtraData(spec, decodeCliqueExtraData)
    this.history = createTallyHistory({
      epochLength,
      listedIn: (header) => readExtraData(header).signers,
      voteIn: ({ header, hash }) => cliqueVoteIn(header, () => signers.of(header, hash)),
      hasVote: hasCliqueVote,
    })
    this.recordAfter = this.history.recordAfter
    this.tallyAfter = this.history.after
  }

  /** Epoch blocks must list the signers and have no vote; other blocks must list none. */
  private checkEpoch(header: Header, validators: readonly Address[]): void {
    const epoch = isEpochBlock(header.number, this.epochLength)
    if (!equalValidators(readExtraData(header).signers, epoch ? validators : []))
      throw new BlockError({ code: 'VALIDATORS_MISMATCH' })
    if (epoch && !equalBytes(header.beneficiary, zeroAddress)) throw new BlockError({ code: 'VOTE_NOT_ALLOWED' })
  }

  private checkRecent(parent: HashedHeader, signer: Address, validators: number, chain: ChainView): void {
    const recent = findRecentBlock(parent, signer, validators, chain, ({ header, hash }) =>
      this.signers.of(header, hash),
    )
    if (recent) throw new BlockError({ code: 'SIGNED_RECENTLY', signer, block: recent.header.number })
  }

  /** As Besu computes it, including the sign of remainders in Java. */
  private distanceFromTurn(block: HashedHeader, chain: ChainView): number {
    const { validators } = this.history.after(block, chain)
    const index = indexOfValidator(validators, this.signers.of(block.header, block.hash))
    return (Number(block.header.number) - (index < 0 ? validators.length : index)) % validators.length
  }

  /** Returns a positive number if `a` is preferred (EIP-3436, with Besu's reading of its third rule). */
  private compare(a: Candidate, b: Candidate, chain: ChainView): number {
    return (
      Number(a.totalDifficulty - b.totalDifficulty) ||
      Number(b.header.number - a.header.number) ||
      this.distanceFromTurn(b, chain) - this.distanceFromTurn(a, chain) ||
      (isSameContent(a.header, b.header) ? 0 : compareBytes(b.hash, a.hash))
    )
  }

  readonly validateHeader: CliqueEngine['validateHeader'] = (header, parent, chain) => {
    const rules = this.spec.rulesAt(header)
    const settings = cliqueSettingsAt(this.config, header)
    validateHeaderCommon(header, parent.header, this.spec, rules, { period: BigInt(settings.blockPeriodSeconds) })
    checkClock(header, this.clock, clockTolerance)
    checkForm(header, settings)
    const { validators } = this.history.after(parent, chain)
    const signer = this.signers.of(header)
    this.checkEpoch(header, validators)
    checkTurn(header, signer, validators)
    this.checkRecent(parent, signer, validators.length, chain)
    return rules
  }

  readonly beneficiary: CliqueEngine['beneficiary'] = (header) => this.signers.of(header)

  readonly reward: CliqueEngine['reward'] = () => 0n

  readonly isBetter: CliqueEngine['isBetter'] = (candidate, head, chain) => this.compare(candidate, head, chain) > 0

  readonly signerOf: CliqueEngine['signerOf'] = (header) => this.signers.of(header)

  readonly validatorsAfter: CliqueEngine['validatorsAfter'] = (block, chain) =>
    this.history.after(block, chain).validators
}

/** Clique (EIP-225): signers take turns, and each block has the seal of one signer. */
export function createCliqueEngine(options: CliqueEngineOptions): CliqueEngine {
  return new CliqueRules(options)
}
