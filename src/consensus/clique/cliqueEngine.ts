import type { Candidate } from '../../chain/engine.ts'
import type { ChainView, SealedHeader } from '../../chain/view.ts'
import { BlockError } from '../../execution/fault.ts'
import { validateHeaderCommon } from '../../execution/validateHeader.ts'
import type { ChainSpec } from '../../forks/chainSpec.ts'
import type { CliqueConfig } from '../../forks/consensusConfig.ts'
import { type Address, compareBytes, equalBytes, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import { emptyTrieRoot } from '../../types/account.ts'
import { emptyOmmersHash, type Header, headerHash } from '../../types/header.ts'
import type { AuthorityEngine } from '../authorityEngine.ts'
import { checkClock } from '../checkClock.ts'
import { checkGenesisExtraData } from '../checkGenesisExtraData.ts'
import { blamingExtraData } from '../fault.ts'
import { createRecentMap } from '../voting/recentMap.ts'
import { equalValidators, indexOfValidator, majorityOf } from '../voting/tally.ts'
import { createTallyHistory, isEpochBlock } from '../voting/tallyHistory.ts'
import { createCliqueSigners } from './cliqueSigners.ts'
import { cliqueVoteIn, isAddVote } from './cliqueVote.ts'
import { decodeCliqueExtraData } from './extraData.ts'

export interface CliqueEngineOptions {
  readonly spec: ChainSpec
  readonly config: CliqueConfig
  readonly clock: Clock
}

const inTurn = 2n
const outOfTurn = 1n
const clockTolerance = 10n
const comparedBlocks = 64

/** Clique (EIP-225): signers take turns, each block carries the seal of one. */
export function createCliqueEngine({ spec, config, clock }: CliqueEngineOptions): AuthorityEngine {
  const { epochLength } = config
  checkGenesisExtraData(spec, decodeCliqueExtraData)
  const signers = createCliqueSigners()
  const readExtraData = ({ extraData }: Header) => blamingExtraData(() => decodeCliqueExtraData(extraData))
  const history = createTallyHistory({
    epochLength,
    listedIn: (header) => readExtraData(header).signers,
    voteIn: ({ header, hash }) => cliqueVoteIn(header, () => signers.of(header, hash)),
  })
  /** How far from their turn the signers of blocks were that may have to be compared. */
  const distances = createRecentMap<number>(comparedBlocks)

  function checkForm(header: Header): void {
    if (!equalBytes(header.ommersHash, emptyOmmersHash)) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
    if (!equalBytes(header.mixHash, zeroHash))
      throw new BlockError({ code: 'MIX_HASH_MISMATCH', have: header.mixHash, want: zeroHash })
    isAddVote(header)
    if (!config.createEmptyBlocks && equalBytes(header.transactionsRoot, emptyTrieRoot))
      throw new BlockError({ code: 'EMPTY_BLOCK_NOT_ALLOWED' })
  }

  /** Epoch blocks list the signers and carry no vote; others list nobody. */
  function checkEpoch(header: Header, validators: readonly Address[]): void {
    const epoch = isEpochBlock(header.number, epochLength)
    if (!equalValidators(readExtraData(header).signers, epoch ? validators : []))
      throw new BlockError({ code: 'VALIDATORS_MISMATCH' })
    if (epoch && !equalBytes(header.beneficiary, zeroAddress)) throw new BlockError({ code: 'VOTE_NOT_ALLOWED' })
  }

  function checkTurn({ number, difficulty }: Header, signer: Address, validators: readonly Address[]): void {
    const index = indexOfValidator(validators, signer)
    if (index < 0) throw new BlockError({ code: 'SIGNER_NOT_VALIDATOR', signer })
    const want = number % BigInt(validators.length) === BigInt(index) ? inTurn : outOfTurn
    if (difficulty !== want) throw new BlockError({ code: 'DIFFICULTY_MISMATCH', have: difficulty, want })
  }

  /** Nobody signs twice among as many blocks as are a majority of the signers. */
  function checkRecent(parent: SealedHeader, signer: Address, validators: number, chain: ChainView): void {
    let at = parent
    for (let left = majorityOf(validators) - 1; left > 0 && at.header.number > 0n; left--) {
      if (equalBytes(signers.of(at.header, at.hash), signer))
        throw new BlockError({ code: 'SIGNED_RECENTLY', signer, block: at.header.number })
      at = chain.headerBy(at.header.parentHash)!
    }
  }

  /** As Besu computes it, down to the sign that Java gives a remainder. */
  function distanceFromTurn(block: SealedHeader, chain: ChainView): number {
    const { validators } = history.after(block, chain)
    const index = indexOfValidator(validators, signers.of(block.header, block.hash))
    return (Number(block.header.number) - (index < 0 ? validators.length : index)) % validators.length
  }

  /** Positive when `a` is to be preferred (EIP-3436, with Besu's reading of its third rule). */
  function compare(a: Candidate, b: Candidate): number {
    return (
      Number(a.totalDifficulty - b.totalDifficulty) ||
      Number(b.header.number - a.header.number) ||
      (distances.get(b.hash) ?? 0) - (distances.get(a.hash) ?? 0) ||
      compareBytes(b.hash, a.hash)
    )
  }

  return {
    hash: headerHash,
    validateHeader(header, parent, chain) {
      const rules = spec.rulesAt(header)
      validateHeaderCommon(header, parent.header, spec, rules, { period: BigInt(config.blockPeriodSeconds) })
      checkClock(header, clock, clockTolerance)
      checkForm(header)
      const { validators } = history.after(parent, chain)
      const hash = headerHash(header)
      const signer = signers.of(header, hash)
      checkEpoch(header, validators)
      checkTurn(header, signer, validators)
      checkRecent(parent, signer, validators.length, chain)
      // Only a block that does not extend the head is compared with it, and then there is no chain to look at.
      if (!equalBytes(parent.hash, chain.head.hash))
        for (const block of [{ header, hash }, chain.head]) distances.set(block.hash, distanceFromTurn(block, chain))
      return rules
    },
    beneficiary: (header) => signers.of(header),
    reward: () => 0n,
    isBetter: (candidate, head) => compare(candidate, head) > 0,
    signerOf: (header) => signers.of(header),
    validatorsAfter: (block, chain) => history.after(block, chain).validators,
    tallyAfter: history.after,
  }
}
