import { createEvm } from '../evm/createEvm.ts'
import type { Evm } from '../evm/evm.ts'
import type { BlockRun } from '../execution/applyBlock.ts'
import { type CallBlock, callBlockOf } from '../execution/callContract.ts'
import { BlockError, TxError } from '../execution/fault.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Address } from '../primitives/bytes.ts'
import type { Steps } from '../primitives/steps.ts'
import { createHost } from '../state/createHost.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Reader } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import { senderOf } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { ConsensusEngine } from './engine.ts'
import { canonicalKey, requireHead } from './records.ts'

/** Whether a transaction may be in the block after `parent`; the EVM has the state after `parent`, and must keep it. */
export type TxPermission = (evm: Evm, parent: CallBlock, tx: Tx, sender: Address) => boolean

export interface PermissionCheckParts {
  readonly spec: ChainSpec
  readonly states: StateStore
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  /** If absent, all transactions are permitted. */
  readonly permits?: TxPermission | undefined
}

/** Asks for permission on the state after the parent, whatever other transactions of the block change. */
export interface PermissionCheck {
  /** Checks a block on the head, before it runs in this EVM, a transaction in each step; throws a BlockError. */
  checkBlock(reader: Reader, evm: Evm, block: Block): Steps<void>
  /** Refuses transactions with a TxError before they are added to a block on the head. */
  guard(reader: Reader, run: BlockRun): BlockRun
}

export function createPermissionCheck({ spec, states, consensus, permits }: PermissionCheckParts): PermissionCheck {
  if (!permits) return { *checkBlock() {}, guard: (_, run) => run }
  /** For drafts, whose own EVM does not have the state of the parent any more. */
  let asking: Evm | undefined

  function parentOf(reader: Reader): CallBlock {
    const { header } = requireHead(reader)
    return callBlockOf(header, spec.rulesAt(header), spec.chainId, consensus.beneficiary(header))
  }

  function prepareAsking(reader: Reader): Evm {
    asking ??= createEvm('fast')
    asking.reset(createHost(states.at(reader, 'latest'), (number) => canonicalKey(reader, number)?.hash))
    return asking
  }

  return {
    *checkBlock(reader, evm, { transactions }) {
      if (transactions.length === 0) return
      const parent = parentOf(reader)
      for (const [index, tx] of transactions.entries()) {
        const sender = senderOf(tx)
        // Without a sender it is invalid in any case.
        if (sender && !permits(evm, parent, tx, sender))
          throw new BlockError({ code: 'TRANSACTION_INVALID', index, reason: 'NOT_PERMITTED' })
        yield
      }
    },
    guard(reader, run) {
      let prepared: { readonly evm: Evm; readonly parent: CallBlock } | undefined
      return {
        ...run,
        add(tx, sender) {
          prepared ??= { evm: prepareAsking(reader), parent: parentOf(reader) }
          if (sender && !permits(prepared.evm, prepared.parent, tx, sender))
            throw new TxError({ code: 'NOT_PERMITTED' })
          return run.add(tx, sender)
        },
      }
    },
  }
}
