import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedBlock, HashedHeader } from '../chain/view.ts'
import { createEvm, type Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { startBlock } from '../execution/applyBlock.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import { type Address, type Hash32, zeroAddress } from '../primitives/bytes.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'
import { senderOf } from '../types/signTx.ts'
import { noChanges, type StateChanges } from '../types/stateChanges.ts'
import { mayExecute } from './flexible/gate.ts'
import { flexibleGenesis, proxyAddress } from './flexible/managementContract.ts'
import { type GroupKind, markedKey } from './markers.ts'
import { createPendingState, type PendingState } from './pendingState.ts'
import { createPrivateHost, hostOfRunning } from './privateHost.ts'
import type { PrivateReceipt } from './privateReceipts.ts'
import {
  finish,
  finishInTurns,
  invalidReceipt,
  type PrivateMessage,
  type PrivateOutcome,
  runPrivateTx,
} from './runPrivateTx.ts'

/** A private transaction of a block, and the index of its marker. */
export interface PrivateJob {
  readonly index: number
  /** Whether it is for this chain; if not it is not run. */
  readonly isValid: boolean
  readonly message: PrivateMessage
  /** What a flexible group checks before it executes the transaction; undefined executes it in any case. */
  readonly gate?: { readonly privateFrom: Uint8Array; readonly version: Uint8Array }
}

/** The private transactions of a group in a block. */
export interface PrivateJobs {
  readonly block: HashedBlock
  readonly jobs: readonly PrivateJob[]
}

export interface PrivateBlockOutcome {
  /** In the order of the jobs; undefined where the group does not execute a transaction. */
  readonly receipts: readonly (PrivateReceipt | undefined)[]
  readonly changes: StateChanges
}

export interface PrivateExecutorParts {
  readonly kind: GroupKind
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  /** From this block on the EVM runs as everyone knows it, and not as Besu runs it in private; undefined: never. */
  readonly exactFrom: bigint | undefined
}

/** Runs private transactions, of one group at a time. */
export interface PrivateExecutor {
  /** Runs those of a block on the group's state before it, one block at a time; `chain` and `state` must stay open. */
  runBlock(
    chain: ChainView,
    block: HashedBlock,
    group: Uint8Array,
    state: StateView,
    jobs: readonly PrivateJob[],
  ): Promise<PrivateBlockOutcome>
  /** The same for some blocks, in ascending order, on the group's state before the first. */
  runBlocks(
    chain: ChainView,
    group: Uint8Array,
    state: StateView,
    blocks: readonly PrivateJobs[],
  ): Promise<readonly PrivateBlockOutcome[]>
  /** Lets a run that goes on reject. */
  stop(): void
  /** Tries a call out on the state after a block. */
  call(
    chain: ChainView,
    at: HashedHeader,
    group: Uint8Array,
    state: StateView,
    message: Omit<PrivateMessage, 'nonce'>,
  ): PrivateOutcome
}

export function createPrivateExecutor({ consensus, exactFrom, kind }: PrivateExecutorParts): PrivateExecutor {
  const createEvms = (isTrial: boolean) => ({
    besu: createEvm('sliced', { sharedChanges: true, isTrial }),
    exact: createEvm('sliced', { isTrial }),
  })
  const evms = createEvms(false)
  // Calls come while a transaction pauses.
  const evmsOfCalls = createEvms(true)
  const publicEvm = createEvm('fast')
  let isStopped = false

  function enter({ spec, rulesOf }: ChainView, { header }: HashedHeader, host: Host, from = evms): Evm {
    const evm = exactFrom !== undefined && header.number >= exactFrom ? from.exact : from.besu
    const rules = rulesOf(header)
    evm.reset(host)
    evm.setBlock(blockEnvOf(header, rules, spec.chainId, consensus.beneficiary(header)), rules)
    return evm
  }

  /** The public state as it is before each transaction of a block; to be asked for in ascending order. */
  function createPublicStates(chain: ChainView, hashed: HashedBlock): (index: number) => Host {
    const { block, header } = hashed
    const before = createHost(chain.stateAt(header.number - 1n), chain.hashAt)
    // Markers alone leave nothing that contracts could read.
    const first = block.transactions.findIndex((tx) => !markedKey(tx, kind))
    let run: ReturnType<typeof startBlock> | undefined
    let done = 0
    return (index) => {
      if (first < 0 || index <= first) return before
      if (!run) {
        publicEvm.reset(before)
        const { spec } = chain
        const rules = chain.rulesOf(header)
        const beneficiary = consensus.beneficiary(header)
        const rootOf = (changes: StateChanges) => chain.stateAt(header.number - 1n).rootOf(changes)
        run = startBlock(publicEvm, block, { spec, rules, rootOf, beneficiary })
      }
      for (; done < index; done++) run.add(block.transactions[done]!, senderOf(block.transactions[done]!))
      return hostOfRunning(publicEvm, before)
    }
  }

  /** Runs one transaction of a block; undefined if the group does not execute it. */
  async function runJob(
    chain: ChainView,
    block: HashedBlock,
    group: Uint8Array,
    { pending, open }: { readonly pending: PendingState; readonly open: Host },
    { isValid, message, gate }: PrivateJob,
  ): Promise<PrivateReceipt | undefined> {
    const start = (sender: Address) => enter(chain, block, createPrivateHost(pending, open, [sender]))
    function ask(data: Uint8Array): Uint8Array {
      const evm = start(zeroAddress)
      const question = { sender: zeroAddress, to: proxyAddress, nonce: evm.nonce(zeroAddress), gasPrice: 0n, data }
      return finish(runPrivateTx(evm, question, group, false)).output
    }
    if (gate && !mayExecute({ ...message, ...gate }, ask)) return undefined
    if (!isValid) return invalidReceipt
    const evm = start(message.sender)
    const receipt = await finishInTurns(runPrivateTx(evm, message, group), () => isStopped)
    if (receipt.status === 1) pending.add(evm.changes())
    return receipt
  }

  async function runOn(
    chain: ChainView,
    { block, jobs }: PrivateJobs,
    group: Uint8Array,
    before: PendingState,
    rootOf: (changes: StateChanges) => Hash32,
  ): Promise<PrivateBlockOutcome> {
    const publicAt = createPublicStates(chain, block)
    const pending = createPendingState(before)
    if (kind === 'flexible' && !before.account(proxyAddress)) pending.add(flexibleGenesis)
    const receipts: (PrivateReceipt | undefined)[] = []
    for (const job of jobs) {
      const receipt = await runJob(chain, block, group, { pending, open: publicAt(job.index) }, job)
      const hasRoot = kind === 'flexible' && receipt?.status === 1
      receipts.push(hasRoot ? { ...receipt, root: rootOf(pending.changes()) } : receipt)
    }
    // The contracts of a flexible group are there once a transaction has succeeded.
    return { receipts, changes: receipts.some((one) => one?.status === 1) ? pending.changes() : noChanges }
  }

  async function runBlocks(
    chain: ChainView,
    group: Uint8Array,
    state: StateView,
    blocks: readonly PrivateJobs[],
  ): Promise<readonly PrivateBlockOutcome[]> {
    const before = createPendingState(createHost(state, chain.hashAt))
    const outcomes: PrivateBlockOutcome[] = []
    for (const one of blocks) {
      const outcome = await runOn(chain, one, group, before, (changes) => state.rootOf(before.with(changes)))
      before.add(outcome.changes)
      outcomes.push(outcome)
    }
    return outcomes
  }

  return {
    runBlocks,
    async runBlock(chain, block, group, state, jobs) {
      const [outcome] = await runBlocks(chain, group, state, [{ block, jobs }])
      return outcome!
    },
    stop() {
      isStopped = true
    },
    call(chain, at, group, state, call) {
      const open = createHost(chain.stateAt(at.header.number), chain.hashAt)
      const host = createPrivateHost(createHost(state, chain.hashAt), open, [call.sender])
      const evm = enter(chain, at, host, evmsOfCalls)
      return finish(runPrivateTx(evm, { ...call, nonce: evm.nonce(call.sender) }, group, false))
    },
  }
}
