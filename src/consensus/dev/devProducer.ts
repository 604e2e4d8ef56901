import type { Chain } from '../../chain/chain.ts'
import type { SealedBlock } from '../../chain/view.ts'
import { blobBaseFeeOf } from '../../execution/blobFee.ts'
import type { TxFault } from '../../execution/fault.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import type { Clock } from '../../primitives/clock.ts'
import type { Block } from '../../types/block.ts'
import { draftHeader } from '../draftHeader.ts'
import { selectTransactions } from '../selectTransactions.ts'

/** What the operator decides; read anew for each block, so that it can change while running. */
export interface ProducerTerms {
  readonly beneficiary: Address
  readonly extraData: Uint8Array
  readonly minGasPrice: bigint
  readonly minPriorityFee: bigint
  readonly minOccupancy: number
  readonly targetGasLimit: bigint | undefined
}

export interface DevProducerParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly terms: () => ProducerTerms
  /** Seconds between blocks; 0 makes a block as soon as a transaction waits. */
  readonly period: number
  /** Told when a block cannot be made; the producer goes on with the next one. */
  readonly onError: (error: unknown) => void
}

/** Milliseconds that the selection of transactions may take. */
const selectionTime = 5000

/** Makes blocks alone: the engine of the development network. */
export function createDevProducer({ chain, pool, clock, terms, period, onError }: DevProducerParts) {
  let cancel: (() => void) | undefined
  let unsubscribe: (() => void) | undefined

  /** Makes a block of what waits; undefined when nothing can be taken and empty blocks are not wanted. */
  function makeBlock(allowEmpty: boolean): SealedBlock | undefined {
    const view = chain.view()
    const parent = view.head
    view.close()
    const { spec } = chain
    const { beneficiary, extraData, targetGasLimit, ...selection } = terms()
    const now = BigInt(Math.floor(clock.now() / 1000))
    const timestamp = now > parent.header.timestamp ? now : parent.header.timestamp + 1n
    const difficulty = spec.consensus.kind === 'ethash' ? (spec.consensus.fixedDifficulty ?? 1n) : 0n
    const header = draftHeader(parent, { timestamp, beneficiary, extraData, difficulty, targetGasLimit }, spec)
    const rules = spec.rulesAt(header)
    const fees = { baseFee: header.baseFee ?? 0n, blobBaseFee: blobBaseFeeOf(header, rules) }
    const draft: Block = { header, transactions: [], ommers: [], withdrawals: rules.withdrawals ? [] : undefined }
    const deadline = clock.now() + selectionTime
    // The pool is told afterwards: those who listen to it may want to read the chain.
    const invalid: [Hash32, TxFault][] = []
    const made = chain.produce(draft, (run) => {
      const taken = selectTransactions(run, pool.best(fees), {
        ...selection,
        ...fees,
        gasLimit: header.gasLimit,
        expired: () => clock.now() > deadline,
        drop: ({ hash }, fault) => invalid.push([hash, fault]),
      })
      return taken.length > 0 || allowEmpty ? taken : undefined
    })
    for (const [hash, fault] of invalid) pool.drop(hash, fault)
    return made
  }

  function schedule(milliseconds: number, action: () => void): void {
    cancel = clock.after(milliseconds, () => {
      cancel = undefined
      try {
        action()
      } catch (error) {
        onError(error)
      }
    })
  }

  /** One block for all transactions that came in together; further ones until nothing is left that can be taken. */
  function onTransaction(): void {
    if (cancel) return
    schedule(0, () => {
      if (makeBlock(false)) onTransaction()
    })
  }

  function onPeriod(): void {
    schedule(period * 1000, () => {
      onPeriod()
      makeBlock(true)
    })
  }

  return {
    isRunning: (): boolean => unsubscribe !== undefined,
    start(): void {
      if (unsubscribe) return
      if (period > 0) {
        unsubscribe = () => {}
        onPeriod()
        return
      }
      unsubscribe = pool.subscribe(({ type }) => {
        if (type === 'added') onTransaction()
      })
      onTransaction()
    },
    stop(): void {
      unsubscribe?.()
      unsubscribe = undefined
      cancel?.()
      cancel = undefined
    },
  }
}
