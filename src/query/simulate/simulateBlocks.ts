import type { HashedBlock } from '../../chain/view.ts'
import { createEvm } from '../../evm/createEvm.ts'
import type { Evm } from '../../evm/evm.ts'
import type { PrecompileSet } from '../../evm/precompile.ts'
import { precompilesOf } from '../../evm/precompiles/registry.ts'
import { type BlockRun, enterBlock, startBlock } from '../../execution/applyBlock.ts'
import { completeHeader } from '../../execution/completeHeader.ts'
import type { Rules } from '../../forks/rules.ts'
import {
  type Address,
  bytesOfKey,
  equalBytes,
  type Hash32,
  toAddress,
  zeroAddress,
  zeroHash,
} from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { runSteps } from '../../primitives/steps.ts'
import { createHost } from '../../state/createHost.ts'
import type { StateView } from '../../state/view.ts'
import { type Header, headerHash } from '../../types/header.ts'
import { rememberSender } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { type AccountOverride, applyOverrides } from '../accountOverrides.ts'
import type { Call } from '../call.ts'
import type { Evms } from '../evms.ts'
import { createGasAllowance, simulationGas } from '../gasAllowance.ts'
import type { RequestBudget } from '../requestBudget.ts'
import type { BlockState } from '../trialEvm.ts'
import { SimulationError } from './fault.ts'
import { overridePrecompiles } from './overridePrecompiles.ts'
import { type PlannedBlock, planBlocks } from './planBlocks.ts'
import { createCallRunner, type SimulatedCall, watchCall } from './simulatedCalls.ts'
import { simulatedHeader } from './simulatedHeader.ts'
import { simulatedTx } from './simulatedTx.ts'
import type { Simulation } from './simulation.ts'

/** A block that was simulated, with its calls in order. */
export interface SimulatedBlock extends HashedBlock {
  readonly calls: readonly SimulatedCall[]
}

/** Simulates blocks one at a time on the state after a block. */
export function simulateBlocks(
  { chain, at, state }: BlockState,
  simulation: Simulation,
  { rewardOf }: Pick<Evms, 'rewardOf'>,
  budget: Pick<RequestBudget, 'spendGas'>,
): SimulatedBlock[] {
  const { spec } = chain
  const planned = planBlocks(at.header, simulation.blocks)
  const hashes = new Map<bigint, Hash32>()
  let precompiles: PrecompileSet = new Map()
  const evm = createEvm('exact', { precompiles: () => precompiles, isTrial: true })
  const hashAt = (number: bigint) =>
    hashes.get(number) ?? (number <= at.header.number ? chain.hashAt(number) : undefined)
  evm.reset(createHost(state, hashAt))
  const allowance = createGasAllowance(simulationGas)

  function runCalls(calls: readonly Call[], { baseFee, gasLimit }: Header, run: BlockRun) {
    const transactions: Tx[] = []
    const done: SimulatedCall[] = []
    for (const call of calls) {
      const sender = call.from ?? zeroAddress
      const gas = allowance.within(gasOf(call, run.pool.gas, gasLimit))
      const tx = simulatedTx(call, evm.nonce(sender), gas, spec.chainId, baseFee !== undefined)
      rememberSender(tx, sender)
      const { tracer, finish } = watchCall(simulation.traceTransfers)
      evm.setTracer(tracer)
      const outcome = run.add(tx, sender)
      evm.setTracer(undefined)
      allowance.spend(outcome.gasUsed)
      budget.spendGas(outcome.gasUsed)
      transactions.push(tx)
      done.push(finish(outcome))
    }
    return { transactions, calls: done }
  }

  function simulateBlock(plan: PlannedBlock, draft: Header): SimulatedBlock {
    // A rules object of its own makes the interpreter ask for the precompiled contracts again.
    const rules = { ...spec.rulesAt(draft) }
    precompiles = overridePrecompiles(precompilesOf(rules), plan.state)
    const { blobBaseFee, withdrawals = [] } = plan.block
    const unfinished = {
      header: draft,
      transactions: [],
      ommers: [],
      withdrawals: rules.withdrawals ? withdrawals : undefined,
    }
    const context = { spec, rules, rootOf: state.rootOf, reward: rewardOf?.(draft), blobBaseFee }
    enterBlock(evm, unfinished, context)
    clearStorage(evm, state, plan.state)
    applyOverrides(evm, plan.state)
    const run = startBlock(evm, unfinished, context, createCallRunner(simulation.validation, usualPrecompiles(rules)))
    const { transactions, calls } = runCalls(plan.calls, draft, run)
    const outcome = run.finish()
    const header = runSteps(completeHeader(unfinished, transactions, outcome, state.rootOf(outcome.changes), rules))
    return { header, hash: headerHash(header), block: { ...unfinished, header, transactions }, calls }
  }

  let parent = at
  return planned.map((plan) => {
    const block = simulateBlock(plan, simulatedHeader(parent, plan, spec, simulation.validation))
    hashes.set(block.header.number, block.hash)
    parent = block
    return block
  })
}

/** Precompiled contracts of the fork: they stay warm also where they are overridden. */
function usualPrecompiles(rules: Rules): Address[] {
  return [...precompilesOf(rules).keys()].map((key) => toAddress(bytesOfKey(key)))
}

/** Gas for a call: what it asks for, or what the block has left. */
function gasOf({ gas }: Call, left: bigint, limit: bigint): bigint {
  if (gas !== undefined && gas > left)
    throw new SimulationError({ code: 'BLOCK_GAS_LIMIT', used: limit - left, want: gas, limit })
  return gas ?? left
}

/** Slots that are emptied at most: more would take too long. */
const maxCleared = 100_000

/** Empties the storage of accounts whose overrides name all of it. */
function clearStorage(evm: Evm, state: StateView, overrides: readonly AccountOverride[]): void {
  const zero = new Uint8Array(0)
  for (const { address } of overrides.filter((one) => one.state)) {
    const { entries, next } = state.storageRange(keccak256(address), zeroHash, maxCleared)
    if (next) throw new SimulationError({ code: 'STORAGE_TOO_LARGE' })
    const changed = evm.changes().accounts.find((change) => equalBytes(change.address, address))
    for (const { slot } of [...entries, ...(changed?.slots ?? [])]) {
      if (!slot) throw new SimulationError({ code: 'SLOTS_UNKNOWN' })
      evm.setStorage(address, slot, zero)
    }
  }
}
