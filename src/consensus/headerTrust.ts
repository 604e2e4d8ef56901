import type { ChainView, HashedHeader } from '../chain/view.ts'
import { BlockError } from '../execution/fault.ts'
import { type Address, keyOf } from '../primitives/bytes.ts'
import type { AuthorityEngine, CommitSeals } from './authorityEngine.ts'
import { quorumOf } from './bft/checkCommitSeals.ts'
import { recoverSigner } from './recoverSeal.ts'
import { equalValidators, indexOfValidator } from './voting/tally.ts'

// Why not every seal is checked: docs/adr/0019-snap.md.

/** A block whose seals were not checked when its header came: a later one vouches for it, but whoever sent it may have altered them. */
export interface OpenBlock extends CommitSeals {
  readonly block: HashedHeader
  readonly validators: readonly Address[]
}

/** Whether those who have signed make a block valid: a quorum of its validators, and nobody else. */
export function areSealed({ validators }: OpenBlock, signers: readonly (Address | undefined)[]): boolean {
  const known = new Set(validators.map(keyOf))
  for (const signer of signers) if (!signer || !known.delete(keyOf(signer))) return false
  return signers.length >= quorumOf(validators.length)
}

/** How headers are believed whose blocks this node does not run. */
export interface HeaderTrust {
  /** Checks a header that follows `parent`; `isLast` says that no later one vouches for it yet. Throws a BlockError. */
  check(block: HashedHeader, parent: HashedHeader, chain: ChainView, isLast: boolean): void
  /** Throws a BlockError unless the state of this block, whose header and those before it were checked, may be taken over. */
  checkPivot(block: HashedHeader, parent: HashedHeader, chain: ChainView): void
  /** The seals of a block of the chain, if any of them were not checked; of a block whose validators a contract names none can be. */
  sealsOf(block: HashedHeader, chain: ChainView): OpenBlock | undefined
}

/** Follows the validators from the genesis block on; whom a contract names is in the state, which is not there yet. */
class FollowedValidators implements HeaderTrust {
  private readonly consensus: AuthorityEngine
  private readonly named: readonly Address[]

  constructor(consensus: AuthorityEngine, named: readonly Address[]) {
    this.consensus = consensus
    this.named = named
  }

  readonly check: HeaderTrust['check'] = (block, parent, chain, isLast) => {
    const { validateHeader, validateUnsealed = validateHeader } = this.consensus
    const before = this.consensus.tallyAfter(parent, chain)
    const isVouchedFor = !before || !(isLast || this.isChanged(before.validators, block, chain))
    const validate = isVouchedFor ? validateUnsealed : validateHeader
    validate(block.header, parent, chain)
  }

  /** Whether others than these make the block after this one: those before say so for the last time. */
  private isChanged(before: readonly Address[], block: HashedHeader, chain: ChainView): boolean {
    const after = this.consensus.tallyAfter(block, chain)
    return !after || !equalValidators(before, after.validators)
  }

  readonly sealsOf: HeaderTrust['sealsOf'] = (block, chain) => {
    const parent = chain.parentOf(block.header)
    const validators = parent && this.consensus.tallyAfter(parent, chain)?.validators
    const seals = validators && this.consensus.commitSealsOf?.(block.header)
    return seals && { block, validators, ...seals }
  }

  readonly checkPivot: HeaderTrust['checkPivot'] = (block, parent, chain) => {
    if (this.consensus.tallyAfter(parent, chain)) {
      this.consensus.validateHeader(block.header, parent, chain)
      return
    }
    const trusted = this.trusted(chain)
    const { digest, seals } = this.consensus.commitSealsOf!(block.header)!
    const signers = seals.flatMap((seal) => recoverSigner(digest, seal) ?? [])
    const { length: have } = trusted.filter((one) => indexOfValidator(signers, one) >= 0)
    const want = quorumOf(trusted.length)
    if (have < want) throw new BlockError({ code: 'TOO_FEW_SEALS', have, want })
  }

  /** Those whom the operator names, or those whom the contract names at the beginning. */
  private trusted(chain: ChainView): readonly Address[] {
    if (this.named.length > 0) return this.named.filter((one, i) => indexOfValidator(this.named, one) === i)
    const genesis = chain.headerAt(0n)!
    if (this.consensus.tallyAfter(genesis, chain))
      throw new BlockError({
        code: 'VALIDATORS_UNKNOWN',
        reason: 'a contract names them: name those of now with --snap-validators',
      })
    return this.consensus.validatorsAfter(genesis, chain)
  }
}

/** `named` are validators of now in a network whose validators a contract names; nobody, if they are those of the beginning. */
export function createHeaderTrust(consensus: AuthorityEngine, named: readonly Address[]): HeaderTrust {
  return new FollowedValidators(consensus, named)
}
