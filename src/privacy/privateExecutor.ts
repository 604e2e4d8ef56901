import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedBlock, HashedHeader } from '../chain/view.ts'
import { createEvm, type Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { startBlock } from '../execution/applyBlock.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import { type Address, type Hash32, keyOf, zeroAddress } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'
import { senderOf } from '../types/signTx.ts'
import { noChanges, type StateChanges } from '../types/stateChanges.ts'
import { askGate, type GateAnswers, mayExecute } from './flexible/gate.ts'
import { flexibleGenesis, proxyAddress } from './flexible/managementContract.ts'
import { type GroupKind, markedKey } from './markers.ts'
import { createPendingState, type PendingState } from './pendingState.ts'
import { createPrivateHost, hostOfRunning } from './privateHost.ts'
import type { PrivateReceipt } from './privateReceipts.ts'
import {
  failedReceipt,
  finish,
  finishInTurns,
  invalidReceipt,
  type PrivateMessage,
  type PrivateOutcome,
  runPrivateTx,
  type WorkLimit,
  workLimits,
} from './runPrivateTx.ts'
import { createYielding } from './yielding.ts'

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

type PrivateCall<T> = (
  chain: ChainView,
  at: HashedHeader,
  group: Uint8Array,
  state: StateView,
  message: Omit<PrivateMessage, 'nonce'>,
) => T

/** What a group's transactions in a block have in common until one of them changes its state. */
interface Shared {
  answers: GateAnswers | undefined
  /** Those that have not ended within their work. */
  readonly exhausted: Set<string>
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
  /** Tries a call out on the state after a block, at once: for what the node itself asks a group's contract. */
  call: PrivateCall<PrivateOutcome>
  /**
   * The same while others have their turn, one call after the other: undefined if too many wait. `openState` is called when it is the
   * call's turn; `chain` must stay open.
   */
  callInTurns(
    chain: ChainView,
    at: HashedHeader,
    group: Uint8Array,
    openState: () => { readonly state: StateView; close(): void },
    message: Omit<PrivateMessage, 'nonce'>,
  ): Promise<PrivateOutcome | undefined>
}

/** Calls of clients that may wait: what waits longer than views of the chain are kept open is of no use. */
const maxWaitingCalls = 64

export function createPrivateExecutor({ consensus, exactFrom, kind }: PrivateExecutorParts): PrivateExecutor {
  const createEvms = (isTrial: boolean) => ({
    besu: createEvm('sliced', { sharedChanges: true, isTrial }),
    exact: createEvm('sliced', { isTrial }),
  })
  const evms = createEvms(false)
  // Calls come while a transaction pauses, and the node's own while those of clients do.
  const evmsOfCalls = createEvms(true)
  const evmsOfClients = createEvms(true)
  const publicEvm = createEvm('fast')
  const yieldTurn = createYielding()
  /** Clients' calls share an EVM. */
  let lastCall: Promise<unknown> = Promise.resolve()
  let waitingCalls = 0
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
    shared: Shared,
  ): Promise<PrivateReceipt | undefined> {
    const start = (sender: Address) => enter(chain, block, createPrivateHost(pending, open, [sender]))
    async function ask(data: Uint8Array): Promise<Uint8Array> {
      const evm = start(zeroAddress)
      const question = { sender: zeroAddress, to: proxyAddress, nonce: evm.nonce(zeroAddress), gasPrice: 0n, data }
      const run = runPrivateTx(evm, question, group, false, workLimits.gate)
      return (await finishInTurns(run, () => isStopped)).output
    }
    if (gate) {
      shared.answers ??= await askGate(ask)
      if (!mayExecute({ ...message, ...gate }, shared.answers)) return undefined
    }
    if (!isValid) return invalidReceipt
    // Whoever repeats its marker must not keep the members busy.
    if (shared.exhausted.has(nameOf(message))) return failedReceipt
    const evm = start(message.sender)
    const receipt = await finishInTurns(runPrivateTx(evm, message, group), () => isStopped)
    if (receipt.isExhausted) shared.exhausted.add(nameOf(message))
    if (receipt.status === 1) {
      pending.add(evm.changes())
      shared.answers = undefined
    }
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
    const shared: Shared = { answers: undefined, exhausted: new Set() }
    for (const job of jobs) {
      await yieldTurn()
      const receipt = await runJob(chain, block, group, { pending, open: publicAt(job.index) }, job, shared)
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

  function startCall(
    from: typeof evms,
    limit: WorkLimit,
    ...[chain, at, group, state, call]: Parameters<PrivateCall<void>>
  ): Generator<undefined, PrivateOutcome> {
    const open = createHost(chain.stateAt(at.header.number), chain.hashAt)
    const host = createPrivateHost(createHost(state, chain.hashAt), open, [call.sender])
    const evm = enter(chain, at, host, from)
    return runPrivateTx(evm, { ...call, nonce: evm.nonce(call.sender) }, group, false, limit)
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
    call: (...given) => finish(startCall(evmsOfCalls, workLimits.node, ...given)),
    async callInTurns(chain, at, group, openState, message) {
      if (waitingCalls >= maxWaitingCalls) return undefined
      waitingCalls++
      async function run(): Promise<PrivateOutcome> {
        waitingCalls--
        const { state, close } = openState()
        try {
          const started = startCall(evmsOfClients, workLimits.call, chain, at, group, state, message)
          return await finishInTurns(started, () => isStopped)
        } finally {
          close()
        }
      }
      const result = lastCall.then(run, run)
      lastCall = result
      return result
    },
  }
}

/** The same for each marker of a private transaction. */
function nameOf({ sender, to, nonce, gasPrice, data }: PrivateMessage): string {
  return [keyOf(sender), to && keyOf(to), nonce, gasPrice, keyOf(keccak256(data))].join()
}
