import type { ChainView, HashedBlock, HashedHeader } from '../../chain/view.ts'
import { createEvm, type Evm } from '../../evm/evm.ts'
import type { BlockEnv } from '../../evm/message.ts'
import type { PrecompileSet } from '../../evm/precompile.ts'
import { precompilesOf } from '../../evm/precompiles/registry.ts'
import { nextBaseFee } from '../../execution/baseFee.ts'
import { nextExcessBlobGas } from '../../execution/blobFee.ts'
import { blockEnvOf } from '../../execution/blockEnv.ts'
import { completeHeader } from '../../execution/completeHeader.ts'
import { blobGasOf } from '../../execution/intrinsicGas.ts'
import { collectRequests } from '../../execution/requests.ts'
import { payRewards, payWithdrawals } from '../../execution/rewards.ts'
import { notifyContract } from '../../execution/systemCalls.ts'
import type { Rules } from '../../forks/rules.ts'
import { type Address, bytesOfKey, type Hash32, toAddress, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import { createGasAllowance, simulationGas } from '../../query/gasAllowance.ts'
import { createHost } from '../../state/createHost.ts'
import type { StateView } from '../../state/view.ts'
import type { Block } from '../../types/block.ts'
import { bloomOf, mergeBlooms } from '../../types/bloom.ts'
import { blankHeader, type Header, headerHash } from '../../types/header.ts'
import type { Receipt } from '../../types/receipt.ts'
import { rememberSender } from '../../types/signTx.ts'
import type { Tx } from '../../types/transaction.ts'
import { blockReward } from '../blocks/minerData.ts'
import { type AccountOverride, applyOverrides } from '../calls/stateOverrides.ts'
import type { CallObject } from '../codecs/callObject.ts'
import type { EvmPort } from '../protocol/context.ts'
import { refuse } from './fault.ts'
import type { SimulationInput } from './input.ts'
import { type PlannedBlock, planBlocks } from './plan.ts'
import { overridePrecompiles } from './precompiles.ts'
import { type CallOutcome, runCall } from './runCall.ts'
import { simulatedTx } from './simulatedTx.ts'

/** A block that was simulated. */
export interface SimulatedBlock extends HashedBlock {
  readonly outcomes: readonly CallOutcome[]
}

/** The ports that simulating takes. */
interface SimulationPorts {
  readonly chain: ChainView
  readonly evm: EvmPort
}

/** Simulates blocks one after the other on the state after `base`. */
export function runBlocks(
  { chain, evm }: SimulationPorts,
  base: HashedHeader,
  state: StateView,
  input: SimulationInput,
): SimulatedBlock[] {
  const planned = planBlocks(base.header, input.blocks)
  const hashes = new Map<bigint, Hash32>()
  let precompiles: PrecompileSet = new Map()
  const engine = createEvm('trace', { precompiles: () => precompiles })
  engine.reset(
    createHost(
      state,
      (number) => hashes.get(number) ?? (number <= base.header.number ? chain.hashAt(number) : undefined),
    ),
  )
  const allowance = createGasAllowance(simulationGas)
  let parent = base
  const done: SimulatedBlock[] = []

  function callsOf(plan: PlannedBlock, header: Header, env: BlockEnv, rules: Rules) {
    const warm = [...precompilesOf(rules).keys()].map((key) => toAddress(bytesOfKey(key)))
    const transactions: Tx[] = []
    const outcomes: CallOutcome[] = []
    const receipts: Receipt[] = []
    let gasUsed = 0n
    for (const call of plan.calls) {
      const sender = call.from ?? zeroAddress
      const gas = allowance.within(gasOf(call, header, gasUsed))
      const tx = simulatedTx(call, engine.nonce(sender), gas, chain.spec.chainId, header.baseFee !== undefined)
      rememberSender(tx, sender)
      const outcome = runCall(engine, tx, sender, { block: env, rules, warm, ...input })
      gasUsed += outcome.gasUsed
      allowance.spend(outcome.gasUsed)
      transactions.push(tx)
      outcomes.push(outcome)
      const { status, logs } = outcome
      receipts.push({ type: tx.type, outcome: status, cumulativeGasUsed: gasUsed, logsBloom: bloomOf(logs), logs })
    }
    return { transactions, outcomes, receipts, gasUsed }
  }

  for (const plan of planned) {
    const draft = draftHeader(chain, plan, parent, input.validation)
    const rules = chain.spec.rulesAt(draft)
    precompiles = overridePrecompiles(precompilesOf(rules), plan.state)
    const env = blockEnvOf(draft, rules, chain.spec.chainId)
    const blobBaseFee = plan.block.blobBaseFee ?? env.blobBaseFee
    // A rules object of its own makes the engine ask for the precompiled contracts again.
    engine.setBlock({ ...env, blobBaseFee }, { ...rules })
    clearStorage(engine, state, plan.state)
    applyOverrides(engine, plan.state)
    if (rules.requests) notifyContract(engine, 'history', draft.parentHash)
    if (rules.beaconRoot && draft.parentBeaconRoot) notifyContract(engine, 'beaconRoots', draft.parentBeaconRoot)
    const { transactions, outcomes, receipts, gasUsed } = callsOf(plan, draft, { ...env, blobBaseFee }, rules)
    const logs = outcomes.flatMap((outcome) => outcome.logs)
    const requests = rules.requests ? collectRequests(engine, logs, chain.spec.depositContract) : []
    const withdrawals = rules.withdrawals ? (plan.block.withdrawals ?? []) : undefined
    const unfinished: Block = { header: draft, transactions, ommers: [], withdrawals }
    engine.beginTx({ origin: zeroAddress, gasPrice: 0n, blobHashes: [] })
    payWithdrawals(engine, unfinished)
    const reward = blockReward(evm, draft, rules)
    if (reward > 0n) payRewards(engine, unfinished, draft.beneficiary, reward)
    engine.endTx()
    const changes = engine.changes()
    const outcome = {
      receipts,
      outcomes: [],
      gasUsed,
      blobGasUsed: transactions.reduce((sum, tx) => sum + blobGasOf(tx), 0n),
      logsBloom: mergeBlooms(receipts.map(({ logsBloom }) => logsBloom)),
      requests,
      changes,
    }
    const header = completeHeader(unfinished, transactions, outcome, state.rootOf(changes), rules)
    const hash = headerHash(header)
    hashes.set(header.number, hash)
    parent = { header, hash }
    done.push({ header, hash, block: { ...unfinished, header }, outcomes })
  }
  return done
}

/** Gas for a call: what it asks for, or what the block has left. */
function gasOf({ gas }: CallObject, header: Header, used: bigint): bigint {
  const room = header.gasLimit - used
  if (gas !== undefined && gas > room)
    throw refuse('BLOCK_GAS_LIMIT', `block gas limit reached: ${used} + ${gas} >= ${header.gasLimit}`)
  return gas ?? room
}

/** A header up to what running the block tells. */
function draftHeader(chain: ChainView, plan: PlannedBlock, parent: HashedHeader, validation: boolean): Header {
  const { block, number, time } = plan
  const { difficulty, gasLimit, beneficiary } = parent.header
  const rules = chain.spec.rulesAt({ number, timestamp: time, difficulty })
  const usualFee = validation ? nextBaseFee(parent.header, chain.spec) : 0n
  return {
    ...blankHeader,
    parentHash: parent.hash,
    number,
    timestamp: time,
    difficulty: rules.proofOfStake ? 0n : difficulty,
    gasLimit: block.gasLimit ?? gasLimit,
    beneficiary: block.feeRecipient ?? beneficiary,
    mixHash: block.prevRandao ?? zeroHash,
    baseFee: rules.baseFee ? (block.baseFee ?? usualFee) : undefined,
    excessBlobGas: rules.blobs ? nextExcessBlobGas(parent.header, rules) : undefined,
    parentBeaconRoot: rules.beaconRoot ? (block.beaconRoot ?? zeroHash) : undefined,
  }
}

/** Slots that are emptied at most: more would take too long. */
const maxCleared = 100_000

/** Empties the storage of accounts whose overrides name all of it. */
function clearStorage(evm: Evm, state: StateView, overrides: readonly AccountOverride[]): void {
  const zero = new Uint8Array(0)
  for (const { address } of overrides.filter((one) => one.state)) {
    const { entries, next } = state.storageRange(keccak256(address), zeroHash, maxCleared)
    if (next) throw refuse('NOT_ALLOWED', 'the storage to replace is too large')
    const changed = evm.changes().accounts.find((change) => sameAddress(change.address, address))
    for (const { slot } of [...entries, ...(changed?.slots ?? [])]) evm.setStorage(address, slot, zero)
  }
}

function sameAddress(a: Address, b: Address): boolean {
  return Buffer.compare(a, b) === 0
}
