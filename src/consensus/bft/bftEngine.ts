import type { ChainView, HashedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { validateHeaderCommon } from '../../execution/validateHeader.ts'
import { bftSettingsAt, bftValidatorsSetAt, minBlockGap, nextMoment } from '../../forks/bftTransitions.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { BftConfig } from '../../forks/consensusConfig.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import type { Clock } from '../../system/clock.ts'
import { bftMixHash, fieldOfEncodedHeader, type Header } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { checkClock } from '../checkClock.ts'
import { withBlockError } from '../fault.ts'
import { vanityLength } from '../vanity.ts'
import { equalValidators, indexOfValidator } from '../voting/tally.ts'
import { createTallyHistory, type VotingRules } from '../voting/tallyHistory.ts'
import { bftBlockHash, bftCommitHash, canonicalHeader } from './bftHash.ts'
import { checkCommitSeals } from './checkCommitSeals.ts'
import { type BftCodec, type BftExtraData, type BftExtraDataReader, sealSizeOf } from './extraData.ts'

/** Returns the validators after a block, as the validator contract lists them. */
export type ContractValidators = (contract: Address, block: HashedHeader, chain: ChainView) => readonly Address[]

export interface BftEngineOptions {
  readonly spec: ChainSpec
  readonly config: BftConfig
  readonly clock: Clock
  readonly codec: BftCodec
  /** Layout of extra data by block number, if the network had another engine at first. */
  readonly codecAt?: (number: bigint) => BftExtraDataReader
  /** Validators with which this engine takes over from another one after a block. */
  readonly takenOverAfter?: VotingRules['setAfter']
  /** The first block whose tally this engine stores, if the network had another engine at first. */
  readonly storedFrom?: bigint
  /** The block from which this engine counts epochs; 0 by default. */
  readonly epochsFrom?: bigint
  /** Header checks of this protocol only. */
  readonly checkForm?: (header: Header) => void
  readonly contractValidators?: ContractValidators
}

const clockTolerance = 1n

/** The header must list the validators, or nobody if a contract selects them. */
function checkValidators({ validators, vote }: BftExtraData, expected: readonly Address[], byContract: boolean): void {
  if (!equalValidators(validators, byContract ? [] : expected)) throw new BlockError({ code: 'VALIDATORS_MISMATCH' })
  if (byContract && vote) throw new BlockError({ code: 'VOTE_NOT_ALLOWED' })
}

function checkConstants(header: Header): void {
  if (!equalBytes(header.mixHash, bftMixHash))
    throw new BlockError({ code: 'MIX_HASH_MISMATCH', have: header.mixHash, want: bftMixHash })
  if (header.difficulty !== 1n) throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: header.difficulty, want: 1n })
}

/** What a header of IBFT 2.0 or QBFT has to say, by whom it may be made, and who the validators after it are. */
class BftRules implements AuthorityEngine {
  private readonly spec: ChainSpec
  private readonly config: BftConfig
  private readonly clock: Clock
  private readonly codec: BftCodec
  private readonly codecAt: NonNullable<BftEngineOptions['codecAt']>
  private readonly checkForm: BftEngineOptions['checkForm']
  private readonly contractValidators: ContractValidators | undefined
  private readonly history: ReturnType<typeof createTallyHistory>

  constructor(options: BftEngineOptions) {
    const { spec, config, clock, codec, codecAt = () => codec, checkForm, contractValidators } = options
    this.spec = spec
    this.config = config
    this.clock = clock
    this.codec = codec
    this.codecAt = codecAt
    this.checkForm = checkForm
    this.contractValidators = contractValidators
    this.history = createTallyHistory({
      epochLength: config.epochLength,
      epochsFrom: options.epochsFrom,
      listedIn: (header) => this.read(header).validators,
      setAfter: (number, block, chain) =>
        bftValidatorsSetAt(config, number + 1n) ?? options.takenOverAfter?.(number, block, chain),
      voteIn: ({ header }) => {
        const { vote } = this.read(header)
        return vote && { proposer: header.beneficiary, subject: vote.recipient, add: vote.add }
      },
      storedFrom: options.storedFrom,
      hasVote: (encodedHeader, number) =>
        withBlockError(() => codecAt(number).hasVote(fieldOfEncodedHeader(encodedHeader, 'extraData'))),
    })
  }

  private read(header: Header) {
    return withBlockError(() => this.codecAt(header.number).decode(header.extraData))
  }

  private contractAfter({ header }: HashedHeader) {
    return bftSettingsAt(this.config, nextMoment(header)).validatorContract
  }

  readonly validatorsAfter = (block: HashedHeader, chain: ChainView): readonly Address[] => {
    const contract = this.contractAfter(block)
    if (!contract) return this.history.after(block, chain).validators
    if (!this.contractValidators)
      throw new BlockError({ code: 'VALIDATORS_UNKNOWN', reason: 'contract calls are not available' })
    return this.contractValidators(contract, block, chain)
  }

  /** Checks everything but who made the block. */
  private validateForm(header: Header, parent: HashedHeader) {
    const rules = this.spec.rulesAt(header)
    const settings = bftSettingsAt(this.config, header)
    const period = minBlockGap(settings)
    validateHeaderCommon(header, parent.header, this.spec, rules, { period, anyBaseFee: true })
    checkClock(header, this.clock, clockTolerance)
    checkConstants(header)
    this.checkForm?.(header)
    return { rules, settings, data: this.read(header) }
  }

  /** Checks everything but the seals; returns what they are checked with. */
  private validate(header: Header, parent: HashedHeader, chain: ChainView) {
    const { rules, settings, data } = this.validateForm(header, parent)
    const validators = this.validatorsAfter(parent, chain)
    checkValidators(data, validators, settings.validatorContract !== undefined)
    if (indexOfValidator(validators, header.beneficiary) < 0)
      throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer: header.beneficiary })
    return { rules, data, validators }
  }

  readonly hash: AuthorityEngine['hash'] = (header) => bftBlockHash(this.codec, header)

  readonly canonical: NonNullable<AuthorityEngine['canonical']> = (header) => canonicalHeader(this.codec, header)

  readonly validateHeader: AuthorityEngine['validateHeader'] = (header, parent, chain) => {
    const { rules, data, validators } = this.validate(header, parent, chain)
    checkCommitSeals(bftCommitHash(this.codec, header, data), data.seals, validators)
    return rules
  }

  readonly validateProposal: NonNullable<AuthorityEngine['validateProposal']> = (header, parent, chain) => {
    const { rules, data } = this.validate(header, parent, chain)
    // Hashes and seals cover it, and Besu has no limit: what a quorum has sealed is taken.
    if (data.vanity.length > vanityLength)
      throw new BlockError({ code: 'VANITY_TOO_LONG', have: data.vanity.length, limit: vanityLength })
    return rules
  }

  readonly validateUnsealed: NonNullable<AuthorityEngine['validateUnsealed']> = (header, parent, chain) => {
    if (!this.contractAfter(parent)) return this.validate(header, parent, chain).rules
    const { rules, settings, data } = this.validateForm(header, parent)
    if (settings.validatorContract) checkValidators(data, [], true)
    return rules
  }

  readonly commitSealsOf: NonNullable<AuthorityEngine['commitSealsOf']> = (header) => {
    const data = this.read(header)
    return { digest: bftCommitHash(this.codec, header, data), seals: data.seals }
  }

  readonly sealSize: NonNullable<AuthorityEngine['sealSize']> = (parent, chain) =>
    sealSizeOf(this.validatorsAfter(parent, chain).length)

  readonly beneficiary: AuthorityEngine['beneficiary'] = (header) =>
    bftSettingsAt(this.config, header).miningBeneficiary

  readonly reward: AuthorityEngine['reward'] = (header) => bftSettingsAt(this.config, header).blockReward

  readonly isBetter: AuthorityEngine['isBetter'] = (candidate, head) => candidate.totalDifficulty > head.totalDifficulty

  readonly isFinal: NonNullable<AuthorityEngine['isFinal']> = () => true

  readonly recordAfter: NonNullable<AuthorityEngine['recordAfter']> = (block, chain) =>
    this.contractAfter(block) ? undefined : this.history.recordAfter(block, chain)

  readonly signerOf: AuthorityEngine['signerOf'] = (header) => header.beneficiary

  readonly tallyAfter: AuthorityEngine['tallyAfter'] = (block, chain) =>
    this.contractAfter(block) ? undefined : this.history.after(block, chain)
}

/** What IBFT 2.0 and QBFT have in common: a block is valid once a quorum of the validators has committed to it. */
export function createBftEngine(options: BftEngineOptions): AuthorityEngine {
  return new BftRules(options)
}
