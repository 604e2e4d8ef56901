import { setImmediate } from 'node:timers/promises'
import type { ChainView, HashedBlock, HashedHeader } from '../../chain/view.ts'
import { createEvm } from '../../evm/createEvm.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Host } from '../../evm/host.ts'
import { blockEnvOf } from '../../execution/blockEnv.ts'
import { type Address, type Hash32, keyOf, zeroAddress } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { type NextTurn, runInTurns } from '../../primitives/steps.ts'
import { createHost } from '../../state/createHost.ts'
import type { StateView } from '../../state/view.ts'
import { createPauses } from '../../system/pauses.ts'
import { noChanges, type StateChanges } from '../../types/stateChanges.ts'
import { askGate, mayExecute } from '../flexible/gate.ts'
import { flexibleGenesis, proxyAddress } from '../flexible/managementContract.ts'
import { createPendingState, type PendingState } from './pendingState.ts'
import { createPrivateHost } from './privateHost.ts'
import type {
  PrivateBlockOutcome,
  PrivateCall,
  PrivateExecutor,
  PrivateExecutorParts,
  PrivateJob,
  PrivateJobs,
  Shared,
} from './privateJobs.ts'
import type { PrivateReceipt } from './privateReceipts.ts'
import { createPublicStates } from './publicStates.ts'
import {
  failedReceipt,
  invalidReceipt,
  type PrivateMessage,
  type PrivateOutcome,
  runPrivateTx,
  type WorkLimit,
  workLimits,
} from './runPrivateTx.ts'

/** Calls of clients that may wait: what waits longer than views of the chain are kept open is of no use. */
const maxWaitingCalls = 64
/** Interpreters that are kept for the next run. */
const maxIdle = 2

/** A run has had all its turns. */
class OutOfTurns extends Error {}

/** The interpreters of one run. */
interface Evms {
  readonly besu: Evm
  readonly standard: Evm
  /** For the public transactions of the block. */
  readonly open: Evm
}

/** What all transactions of a group in a block are run with. */
interface BlockRun {
  readonly chain: ChainView
  readonly block: HashedBlock
  readonly group: Uint8Array
  readonly evms: Evms
  readonly nextTurn: NextTurn
}

const createEvms = (isTrial: boolean) => ({
  besu: createEvm('exact', { sharedChanges: true, isTrial }),
  standard: createEvm('exact', { isTrial }),
})

/** Runs private transactions of groups, each on the state of its group. */
class GroupExecutor implements PrivateExecutor {
  private readonly parts: PrivateExecutorParts
  // Each run has its own: groups run at the same time, and calls while they pause.
  private readonly idle: Evms[] = []
  private readonly evmsOfAsking = createEvms(true)
  private readonly evmsOfClients = createEvms(true)
  private readonly pause = createPauses()
  /** Runs go on one in each turn of the event loop: however many there are, they get no more of it than one alone. */
  private lastTurn: Promise<void> = Promise.resolve()
  /** Calls of a kind share an EVM. */
  private lastCall: Promise<unknown> = Promise.resolve()
  private lastAsked: Promise<unknown> = Promise.resolve()
  private waitingCalls = 0
  private isStopped = false

  constructor(parts: PrivateExecutorParts) {
    this.parts = parts
  }

  /** Waits for the next turn of one run. */
  private turnsOf(max: number): NextTurn {
    let left = max
    return async () => {
      if (left-- <= 0) throw new OutOfTurns()
      this.lastTurn = this.lastTurn.then(() => setImmediate())
      await this.lastTurn
      if (this.isStopped) throw new Error('the execution was stopped')
    }
  }

  private enter(
    from: Pick<Evms, 'besu' | 'standard'>,
    { spec, rulesOf }: ChainView,
    { header }: HashedHeader,
    host: Host,
  ): Evm {
    const evm =
      this.parts.standardFrom !== undefined && header.number >= this.parts.standardFrom ? from.standard : from.besu
    const rules = rulesOf(header)
    evm.reset(host)
    evm.setBlock(blockEnvOf(header, rules, spec.chainId, this.parts.consensus.beneficiary(header)), rules)
    return evm
  }

  /** Runs one transaction of a block; undefined if the group does not execute it. */
  private async runJob(
    { chain, block, group, evms, nextTurn }: BlockRun,
    { pending, open }: { readonly pending: PendingState; readonly open: Host },
    { isValid, wasExhausted, message, gate }: PrivateJob,
    shared: Shared,
  ): Promise<PrivateOutcome | undefined> {
    const start = (sender: Address) => this.enter(evms, chain, block, createPrivateHost(pending, open, [sender]))
    async function ask(data: Uint8Array): Promise<Uint8Array> {
      const evm = start(zeroAddress)
      const question = { sender: zeroAddress, to: proxyAddress, nonce: evm.nonce(zeroAddress), gasPrice: 0n, data }
      const run = runPrivateTx(evm, question, group, false, workLimits.gate)
      return (await runInTurns(run, nextTurn)).output
    }
    if (gate) {
      shared.answers ??= await askGate(ask)
      if (!mayExecute({ ...message, ...gate }, shared.answers)) return undefined
    }
    if (!isValid) return { ...invalidReceipt, halt: undefined }
    // Anyone who repeats its marker must not keep the members busy.
    const name = nameOf(message)
    if (wasExhausted || shared.costly.has(name)) return { ...failedReceipt, halt: undefined }
    const evm = start(message.sender)
    const outcome = await runInTurns(runPrivateTx(evm, message, group), nextTurn)
    if (outcome.isCostly) shared.costly.add(name)
    if (outcome.status === 1) {
      pending.add(evm.changes())
      shared.answers = undefined
    }
    return outcome
  }

  private async runOn(
    run: BlockRun,
    jobs: readonly PrivateJob[],
    before: PendingState,
    rootOf: (changes: StateChanges) => Hash32,
  ): Promise<PrivateBlockOutcome> {
    const publicAt = createPublicStates(run.evms.open, run.chain, run.block, this.parts, this.pause)
    const pending = createPendingState(before)
    if (this.parts.kind === 'flexible' && !before.account(proxyAddress)) pending.add(flexibleGenesis)
    const receipts: (PrivateReceipt | undefined)[] = []
    const exhausted: number[] = []
    const shared: Shared = { answers: undefined, costly: new Set() }
    for (const job of jobs) {
      await this.pause()
      const outcome = await this.runJob(run, { pending, open: await publicAt(job.index) }, job, shared)
      if (outcome?.isExhausted) exhausted.push(job.index)
      const receipt = outcome && receiptOf(outcome)
      const hasRoot = this.parts.kind === 'flexible' && receipt?.status === 1
      receipts.push(hasRoot ? { ...receipt, root: rootOf(pending.changes()) } : receipt)
    }
    // The contracts of a flexible group are there once a transaction has succeeded.
    return { receipts, exhausted, changes: receipts.some((one) => one?.status === 1) ? pending.changes() : noChanges }
  }

  private async runAll(
    chain: ChainView,
    group: Uint8Array,
    state: StateView,
    blocks: readonly PrivateJobs[],
    maxTurns: number,
  ): Promise<readonly PrivateBlockOutcome[]> {
    const evms = this.idle.pop() ?? { ...createEvms(false), open: createEvm('fast') }
    const nextTurn = this.turnsOf(maxTurns)
    const before = createPendingState(createHost(state, chain.hashAt))
    const outcomes: PrivateBlockOutcome[] = []
    try {
      for (const { block, jobs } of blocks) {
        const rootOf = (changes: StateChanges) => state.rootOf(before.with(changes))
        const outcome = await this.runOn({ chain, block, group, evms, nextTurn }, jobs, before, rootOf)
        before.add(outcome.changes)
        outcomes.push(outcome)
      }
    } finally {
      if (this.idle.length < maxIdle) this.idle.push(evms)
    }
    return outcomes
  }

  /** Runs a call when it is its turn. */
  private async runCall(
    from: Pick<Evms, 'besu' | 'standard'>,
    limit: WorkLimit,
    ...[chain, at, group, openState, message]: Parameters<PrivateCall<void>>
  ): Promise<PrivateOutcome> {
    const { state, close } = openState()
    try {
      const open = createHost(chain.stateAt(at.header.number), chain.hashAt)
      const host = createPrivateHost(createHost(state, chain.hashAt), open, [message.sender])
      const evm = this.enter(from, chain, at, host)
      const run = runPrivateTx(evm, { ...message, nonce: evm.nonce(message.sender) }, group, false, limit)
      return await runInTurns(run, this.turnsOf(Number.POSITIVE_INFINITY))
    } finally {
      close()
    }
  }

  readonly runBlocks: PrivateExecutor['runBlocks'] = (chain, group, state, blocks) =>
    this.runAll(chain, group, state, blocks, Number.POSITIVE_INFINITY)

  readonly runBlock: PrivateExecutor['runBlock'] = async (
    chain,
    block,
    group,
    state,
    jobs,
    maxTurns = Number.POSITIVE_INFINITY,
  ) => {
    try {
      const [outcome] = await this.runAll(chain, group, state, [{ block, jobs }], maxTurns)
      return outcome
    } catch (error) {
      if (error instanceof OutOfTurns) return undefined
      throw error
    }
  }

  readonly stop: PrivateExecutor['stop'] = () => {
    this.isStopped = true
  }

  readonly ask: PrivateExecutor['ask'] = (...given) => {
    const run = () => this.runCall(this.evmsOfAsking, workLimits.node, ...given)
    const asked = this.lastAsked.then(run, run)
    this.lastAsked = asked
    return asked
  }

  readonly call: PrivateExecutor['call'] = async (...given) => {
    if (this.waitingCalls >= maxWaitingCalls) return undefined
    this.waitingCalls++
    const run = () => {
      this.waitingCalls--
      return this.runCall(this.evmsOfClients, workLimits.call, ...given)
    }
    const called = this.lastCall.then(run, run)
    this.lastCall = called
    return called
  }
}

/**
 * Runs private transactions in EVMs of their own, a little at a time: anybody in a group can send one that never ends, and neither the chain
 * nor other groups may wait for it. In Besu all calls within a private transaction
 * share their pending changes, unlike in a public one; members that are to compute the same state have to do likewise, up to the block from
 * which the genesis file says otherwise.
 */
export function createPrivateExecutor(parts: PrivateExecutorParts): PrivateExecutor {
  return new GroupExecutor(parts)
}

/** What is stored of an outcome. */
function receiptOf({ status, logs, output, revertReason }: PrivateOutcome): PrivateReceipt {
  return { status, logs, output, revertReason }
}

/** The same for each marker of a private transaction. */
function nameOf({ sender, to, nonce, gasPrice, data }: PrivateMessage): string {
  return [keyOf(sender), to && keyOf(to), nonce, gasPrice, keyOf(keccak256(data))].join()
}
