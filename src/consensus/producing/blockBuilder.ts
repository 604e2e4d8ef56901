import type { Chain, Maker, Select } from '../../chain/chain.ts'
import type { HashedBlock, HashedHeader } from '../../chain/view.ts'
import { blobBaseFeeOf } from '../../execution/blobFee.ts'
import { roomForTransactions } from '../../execution/blockSize.ts'
import { since } from '../../forks/rules.ts'
import type { DropReason } from '../../pool/fault.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Steps } from '../../primitives/steps.ts'
import type { Clock } from '../../system/clock.ts'
import { type Block, blockSize } from '../../types/block.ts'
import type { Header } from '../../types/header.ts'
import { type BlockPlan, draftHeader } from './draftHeader.ts'
import { createSelectionLimit } from './selectionLimit.ts'
import { selectTransactions } from './selectTransactions.ts'

/** Settings of the operator; read for each block, because they can change while the node runs. */
export interface ProducerSettings {
  readonly beneficiary: Address
  readonly extraData: Uint8Array
  readonly minGasPrice: bigint
  readonly minPriorityFee: bigint
  readonly minOccupancy: number
  /** Blobs of a block, from Osaka on; undefined: as many as the fork allows. */
  readonly maxBlobs?: number | undefined
  readonly targetGasLimit: bigint | undefined
}

export interface BlockBuilderParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly settings: () => ProducerSettings
}

/** What the consensus decides about the next block. */
export interface BuildPlan extends Omit<BlockPlan, 'targetGasLimit'> {
  readonly parent: HashedHeader
  /** If false, no block is built without transactions. */
  readonly allowEmpty: boolean
  /** If true, no transaction is taken from the pool. */
  readonly onlyEmpty?: boolean
  readonly nonce?: Uint8Array
  readonly maker?: Maker
  /** Seconds between blocks, which limits the time to select transactions. */
  readonly period?: number
  /** Bytes that seals will add to the block. */
  readonly sealSize?: number
}

export interface BlockBuilder {
  /** Builds a block without writing it; undefined if it would be empty and must not be, or somebody else used the chain meanwhile. */
  propose(plan: BuildPlan): Steps<HashedBlock | undefined>
  /** Builds a block and writes it as the new head; undefined if it would be empty and must not be. */
  produce(plan: BuildPlan): HashedBlock | undefined
  /** Whether a pending transaction pays enough for the block after this one. */
  hasTransactions(parent: HashedHeader): boolean
}

/** A block without transactions, and how they are selected from the pool. */
interface Beginning {
  readonly draft: Block
  readonly select: Select
  /** Removes invalid transactions from the pool: not before the block is made, because listeners may read the chain. */
  dropInvalid(): void
}

/** Builds blocks from the transaction pool, for all kinds of consensus. */
export function createBlockBuilder({ chain, pool, clock, settings }: BlockBuilderParts): BlockBuilder {
  const { spec } = chain
  const limit = createSelectionLimit()
  chain.onHead(({ added }) => {
    for (const { block } of added) limit.onBlock({ ...block.header, bytes: blockSize(block), now: clock.now() })
  })

  function draftOf({ parent, nonce, ...plan }: BuildPlan): Header {
    const { targetGasLimit, minGasPrice } = settings()
    const fixed = spec.fixedBaseFee && { baseFee: minGasPrice }
    const header = draftHeader(parent, { ...plan, ...fixed, targetGasLimit }, spec)
    return nonce ? { ...header, nonce } : header
  }

  const feesOf = (header: Header) => ({
    baseFee: header.baseFee ?? 0n,
    blobBaseFee: blobBaseFeeOf(header, spec.rulesAt(header)),
  })

  function begin(plan: BuildPlan): Beginning {
    const header = draftOf(plan)
    const rules = spec.rulesAt(header)
    const draft: Block = { header, transactions: [], ommers: [], withdrawals: rules.withdrawals ? [] : undefined }
    const fees = feesOf(header)
    const isEnough = limit.begin(clock.now(), plan.period)
    const invalid: [Hash32, DropReason][] = []
    return {
      draft,
      *select(blockRun) {
        if (plan.onlyEmpty) return []
        const taken = yield* selectTransactions(blockRun, pool.best(fees), {
          ...settings(),
          ...fees,
          gasLimit: header.gasLimit,
          maxBytes: roomForTransactions(draft, rules, plan.sealSize ?? 0),
          maxBlobs: since(rules, 'osaka') ? settings().maxBlobs : undefined,
          isEnough: (gasUsed, bytes) => isEnough(clock.now(), gasUsed, bytes),
          findRefusal: pool.findRefusal,
          drop: ({ hash }, fault) => invalid.push([hash, fault]),
        })
        return taken.length > 0 || plan.allowEmpty ? taken : undefined
      },
      dropInvalid() {
        for (const [hash, fault] of invalid) pool.drop(hash, fault)
      },
    }
  }

  return {
    *propose(plan) {
      const { draft, select, dropInvalid } = begin(plan)
      const built = yield* chain.propose(draft, select, plan.maker)
      dropInvalid()
      return built
    },
    produce(plan) {
      const { draft, select, dropInvalid } = begin(plan)
      const built = chain.produce(draft, select, plan.maker)
      dropInvalid()
      return built
    },
    hasTransactions(parent) {
      const timestamp = BigInt(Math.floor(clock.now() / 1000))
      const { difficulty, beneficiary, extraData } = parent.header
      const draft = draftOf({ parent, timestamp, difficulty, beneficiary, extraData, allowEmpty: true })
      return pool.best(feesOf(draft)).next() !== undefined
    },
  }
}
