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
  /** Header checks of this protocol only. */
  readonly checkForm?: (header: Header) => void
  readonly contractValidators?: ContractValidators
}

const clockTolerance = 1n

/** What IBFT 2.0 and QBFT have in common: a block is valid once a quorum of the validators has committed to it. */
export function createBftEngine(options: BftEngineOptions): AuthorityEngine {
  const { spec, config, clock, codec, codecAt = () => codec, checkForm, contractValidators } = options
  const read = (header: Header) => withBlockError(() => codecAt(header.number).decode(header.extraData))
  const history = createTallyHistory({
    epochLength: config.epochLength,
    listedIn: (header) => read(header).validators,
    setAfter: (number, block, chain) =>
      bftValidatorsSetAt(config, number + 1n) ?? options.takenOverAfter?.(number, block, chain),
    voteIn({ header }) {
      const { vote } = read(header)
      return vote && { proposer: header.beneficiary, subject: vote.recipient, add: vote.add }
    },
    storedFrom: options.storedFrom,
    hasVote: (encodedHeader, number) =>
      withBlockError(() => codecAt(number).hasVote(fieldOfEncodedHeader(encodedHeader, 'extraData'))),
  })

  const contractAfter = ({ header }: HashedHeader) => bftSettingsAt(config, nextMoment(header)).validatorContract

  function validatorsAfter(block: HashedHeader, chain: ChainView): readonly Address[] {
    const contract = contractAfter(block)
    if (!contract) return history.after(block, chain).validators
    if (!contractValidators)
      throw new BlockError({ code: 'VALIDATORS_UNKNOWN', reason: 'contract calls are not available' })
    return contractValidators(contract, block, chain)
  }

  /** The header must list the validators, or nobody if a contract selects them. */
  function checkValidators(
    { validators, vote }: BftExtraData,
    expected: readonly Address[],
    byContract: boolean,
  ): void {
    if (!equalValidators(validators, byContract ? [] : expected)) throw new BlockError({ code: 'VALIDATORS_MISMATCH' })
    if (byContract && vote) throw new BlockError({ code: 'VOTE_NOT_ALLOWED' })
  }

  function checkConstants(header: Header): void {
    if (!equalBytes(header.mixHash, bftMixHash))
      throw new BlockError({ code: 'MIX_HASH_MISMATCH', have: header.mixHash, want: bftMixHash })
    if (header.difficulty !== 1n)
      throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: header.difficulty, want: 1n })
  }

  /** Checks everything but the seals; returns what they are checked with. */
  function validate(header: Header, parent: HashedHeader, chain: ChainView) {
    const rules = spec.rulesAt(header)
    const settings = bftSettingsAt(config, header)
    const period = minBlockGap(settings)
    validateHeaderCommon(header, parent.header, spec, rules, { period, anyBaseFee: true })
    checkClock(header, clock, clockTolerance)
    checkConstants(header)
    checkForm?.(header)
    const data = read(header)
    const validators = validatorsAfter(parent, chain)
    checkValidators(data, validators, settings.validatorContract !== undefined)
    if (indexOfValidator(validators, header.beneficiary) < 0)
      throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer: header.beneficiary })
    return { rules, data, validators }
  }

  return {
    hash: (header) => bftBlockHash(codec, header),
    canonical: (header) => canonicalHeader(codec, header),
    validateHeader(header, parent, chain) {
      const { rules, data, validators } = validate(header, parent, chain)
      checkCommitSeals(bftCommitHash(codec, header, data), data.seals, validators)
      return rules
    },
    validateProposal(header, parent, chain) {
      const { rules, data } = validate(header, parent, chain)
      // Hashes and seals cover it, and Besu has no limit: what a quorum has sealed is taken.
      if (data.vanity.length > vanityLength)
        throw new BlockError({ code: 'VANITY_TOO_LONG', have: data.vanity.length, limit: vanityLength })
      return rules
    },
    sealSize: (parent, chain) => sealSizeOf(validatorsAfter(parent, chain).length),
    beneficiary: (header) => bftSettingsAt(config, header).miningBeneficiary,
    reward: (header) => bftSettingsAt(config, header).blockReward,
    isBetter: (candidate, head) => candidate.totalDifficulty > head.totalDifficulty,
    isFinal: () => true,
    recordAfter: (block, chain) => (contractAfter(block) ? undefined : history.recordAfter(block, chain)),
    signerOf: (header) => header.beneficiary,
    validatorsAfter,
    tallyAfter: (block, chain) => (contractAfter(block) ? undefined : history.after(block, chain)),
  }
}
