import type { Evm } from '../evm/evm.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Rules } from '../forks/rules.ts'
import { type Address, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { runSteps, type Steps } from '../primitives/steps.ts'
import { orderedRootInSteps } from '../trie/orderedRoot.ts'
import type { Block } from '../types/block.ts'
import { bloomOf, mergeBlooms } from '../types/bloom.ts'
import { encodeReceipt, type Receipt } from '../types/receipt.ts'
import { senderOf } from '../types/signTx.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import type { Tx } from '../types/transaction.ts'
import { applyEdits } from './applyEdits.ts'
import { applyTx, type GasPool, type TxContext } from './applyTx.ts'
import { blockEnvOf } from './blockEnv.ts'
import { applyDaoFork } from './daoFork.ts'
import { BlockError, TxError } from './fault.ts'
import { gasPerBlob } from './intrinsicGas.ts'
import { collectRequests, requestsHashOf } from './requests.ts'
import { payRewards, payWithdrawals } from './rewards.ts'
import type { TxOutcome } from './runTx.ts'
import { notifyContract, placeContracts } from './systemCalls.ts'

export interface BlockContext {
  readonly spec: ChainSpec
  readonly rules: Rules
  /** Root of the state with the changes so far: receipts before Byzantium carry one each. */
  readonly rootOf: (changes: StateChanges) => Hash32
  /** Who collects fees, where it is not the header's own field. */
  readonly beneficiary?: Address | undefined
  /** Reward for the block, where the consensus engine sets it and not the fork. */
  readonly reward?: bigint | undefined
  /** Price of blob gas, where a simulation sets it. */
  readonly blobBaseFee?: bigint | undefined
}

/** What running a block gives, before anything is written. */
export interface BlockOutcome {
  readonly receipts: readonly Receipt[]
  readonly outcomes: readonly TxOutcome[]
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
  readonly logsBloom: Uint8Array
  readonly requests: readonly Uint8Array[]
  readonly changes: StateChanges
}

/** A block under way: transactions are added one by one, then it is finished. Import and block building share it. */
export interface BlockRun {
  readonly pool: GasPool
  /** Runs one more transaction; a TxError leaves everything as it was. */
  add(tx: Tx, sender: Address | undefined): TxOutcome
  /** Pays rewards, asks for requests and closes the block. */
  finish(): BlockOutcome
}

/** Tells the interpreter of a block, for transactions that are run one by one. */
export function enterBlock(evm: Evm, { header }: Block, context: BlockContext): TxContext {
  const { spec, rules, beneficiary, blobBaseFee } = context
  const usual = blockEnvOf(header, rules, spec.chainId, beneficiary)
  const block = blobBaseFee === undefined ? usual : { ...usual, blobBaseFee }
  evm.setBlock(block, rules)
  return { block, rules, pool: { gas: header.gasLimit, blobGas: maxBlobGasOf(rules) } }
}

function maxBlobGasOf({ blobs }: Rules): bigint {
  return gasPerBlob * BigInt(blobs?.max ?? 0)
}

/** How a block runs a transaction: `applyTx`, or with the checks of a simulation. */
export type RunInBlock = typeof applyTx

/** Opens a block on an interpreter that has the parent's state. */
export function startBlock(evm: Evm, block: Block, context: BlockContext, runInBlock: RunInBlock = applyTx): BlockRun {
  const { header } = block
  const { spec, rules } = context
  const txContext = enterBlock(evm, block, context)
  const { pool } = txContext
  const { beneficiary } = txContext.block
  const receipts: Receipt[] = []
  const outcomes: TxOutcome[] = []
  let gasUsed = 0n
  if (spec.editsOf) applyEdits(evm, spec.editsOf(header))
  applyDaoFork(evm, header.number, spec)
  placeContracts(evm, rules.placedContracts)
  const contracts = rules.systemContracts
  if (contracts && header.parentBeaconRoot) notifyContract(evm, contracts.beaconRoots, header.parentBeaconRoot)
  if (contracts && rules.requests) notifyContract(evm, contracts.history, header.parentHash)

  return {
    pool,
    add(transaction, sender) {
      const outcome = runInBlock(evm, transaction, sender, txContext)
      gasUsed += outcome.gasUsed
      outcomes.push(outcome)
      receipts.push({
        type: transaction.type,
        outcome: rules.receiptStatus ? outcome.status : context.rootOf(evm.changes()),
        cumulativeGasUsed: gasUsed,
        logsBloom: bloomOf(outcome.logs),
        logs: outcome.logs,
      })
      return outcome
    },
    finish() {
      const logs = outcomes.flatMap((outcome) => outcome.logs)
      const requests = contracts && rules.requests ? collectRequests(evm, logs, contracts, spec.depositContract) : []
      evm.beginTx({ origin: beneficiary, gasPrice: 0n, blobHashes: [] })
      payWithdrawals(evm, block)
      const reward = context.reward ?? rules.blockReward
      if (reward > 0n) payRewards(evm, block, beneficiary, reward)
      evm.endTx()
      return {
        receipts,
        outcomes,
        gasUsed,
        blobGasUsed: maxBlobGasOf(rules) - pool.blobGas,
        logsBloom: mergeBlooms(receipts.map((receipt) => receipt.logsBloom)),
        requests,
        changes: evm.changes(),
      }
    },
  }
}

/** Runs all transactions of a block; an invalid one makes the block invalid. */
export function applyBlock(evm: Evm, block: Block, context: BlockContext): BlockOutcome {
  return runSteps(applyInSteps(evm, block, context))
}

/** The same with a pause after each transaction. */
export function* applyInSteps(evm: Evm, block: Block, context: BlockContext): Steps<BlockOutcome> {
  const run = startBlock(evm, block, context)
  for (const [index, tx] of block.transactions.entries()) {
    try {
      run.add(tx, senderOf(tx))
    } catch (error) {
      if (!(error instanceof TxError)) throw error
      throw new BlockError({ code: 'TRANSACTION_INVALID', index, reason: error.at.code }, error)
    }
    yield
  }
  return run.finish()
}

/** Checks, in steps, that running the block gave what its header promises; the state root is compared by the code that computes it. */
export function* verifyOutcome({ header }: Block, outcome: BlockOutcome, rules: Rules): Steps<void> {
  if (header.gasUsed !== outcome.gasUsed)
    throw new BlockError({ code: 'GAS_USED_MISMATCH', have: header.gasUsed, want: outcome.gasUsed })
  // A header that ends before this field has no blobs (validateHeader.ts).
  const { blobGasUsed = 0n } = header
  if (rules.blobs && blobGasUsed !== outcome.blobGasUsed)
    throw new BlockError({ code: 'BLOB_GAS_USED_MISMATCH', have: blobGasUsed, want: outcome.blobGasUsed })
  if (!equalBytes(header.logsBloom, outcome.logsBloom)) throw new BlockError({ code: 'LOGS_BLOOM_MISMATCH' })
  if (!equalBytes(header.receiptsRoot, yield* orderedRootInSteps(outcome.receipts, encodeReceipt)))
    throw new BlockError({ code: 'RECEIPTS_ROOT_MISMATCH' })
  if (rules.requests && !equalBytes(header.requestsHash!, requestsHashOf(outcome.requests)))
    throw new BlockError({ code: 'REQUESTS_HASH_MISMATCH' })
}

/** Compares the state root that was computed with the one that the header promises. */
export function verifyStateRoot({ header }: Block, root: Hash32): void {
  if (!equalBytes(header.stateRoot, root))
    throw new BlockError({ code: 'STATE_ROOT_MISMATCH', have: header.stateRoot, want: root })
}
