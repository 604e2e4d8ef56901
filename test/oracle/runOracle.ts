import { precompilesOf } from '../../src/evm/precompiles/registry.ts'
import { type Rules, since } from '../../src/forks/rules.ts'
import { bytesOfKey, emptyBytes, toAddress } from '../../src/primitives/bytes.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import type { Log } from '../../src/types/log.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { authorize } from './authorize.ts'
import { checkTx } from './checkTx.ts'
import { delegateOf } from './delegation.ts'
import { enterCall } from './enterCall.ts'
import { enterCreate } from './enterCreate.ts'
import type { FrameResult } from './frame.ts'
import type { Machine, OracleBlock, Step } from './machine.ts'
import { createAddress } from './ops/creates.ts'
import { runFrames } from './runFrames.ts'
import type { State } from './state.ts'
import { gasPriceOf } from './txFees.ts'
import { accessListIn, blobGasOf, floorGasOf, intrinsicGasOf } from './txGas.ts'
import { addressNumber } from './words.ts'
import { createWorld, type World } from './world.ts'

export interface OracleInput {
  readonly pre: State
  readonly block: OracleBlock
  readonly tx: Tx
  readonly sender: bigint
  readonly rules: Rules
  readonly onStep?: (step: Step) => void
}

export interface OracleResult {
  /** `invalid`: the transaction may not be in the block and changes nothing. */
  readonly status: FrameResult['status'] | 'invalid'
  readonly gasUsed: bigint
  /** Before refunds and without the floor. */
  readonly gasSpent: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  readonly post: State
  /** Why it is invalid. */
  readonly reason?: string
}

/** Runs one transaction by the letter of the specifications: slowly, with bigint, on Maps. */
export function runOracle({ pre, block, tx, sender, rules, onStep }: OracleInput): OracleResult {
  const world = createWorld(pre, since(rules, 'spuriousDragon'))
  const reason = checkTx(tx, sender, world, block, rules)
  if (reason !== undefined)
    return { status: 'invalid', reason, gasUsed: 0n, gasSpent: 0n, output: emptyBytes, logs: [], post: pre }

  const gasPrice = gasPriceOf(tx, block.baseFee)
  const blobHashes = tx.type === 3 ? tx.blobHashes.map(bytesToBigInt) : []
  const machine: Machine = { world, rules, block, origin: sender, gasPrice, blobHashes, frames: [], onStep }
  world.subBalance(sender, tx.gasLimit * gasPrice + blobGasOf(tx) * block.blobBaseFee)
  world.setNonce(sender, tx.nonce + 1n)
  const { status, output, gasLeft } = runMessage(machine, tx)

  const gasUsed = settle(tx, rules, world, gasLeft)
  world.addBalance(sender, (tx.gasLimit - gasUsed) * gasPrice)
  world.addBalance(block.beneficiary, gasUsed * (gasPrice - block.baseFee))
  return { status, gasUsed, gasSpent: tx.gasLimit - gasLeft, output, logs: [...world.logs], post: world.finish() }
}

/** The transaction's own call or creation, with everything that comes before it. */
function runMessage(machine: Machine, tx: Tx): FrameResult {
  const { world, rules, block, origin } = machine
  if (since(rules, 'berlin')) warmUp(machine, tx)
  if (tx.type === 4) for (const wish of tx.authorizations) authorize(world, wish, block.chainId)

  let result: FrameResult | undefined
  const done = (end: FrameResult) => {
    result = end
  }
  const { value, data } = tx
  const gas = tx.gasLimit - intrinsicGasOf(tx, rules)
  if (tx.to === undefined) {
    const address = createAddress(origin, tx.nonce)
    enterCreate(machine, { depth: 0, creator: origin, address, value, initCode: data, gas }, done)
  } else {
    const to = addressNumber(tx.to)
    const delegate = since(rules, 'prague') ? delegateOf(world.code(to)) : undefined
    if (delegate !== undefined) world.warmAddress(delegate)
    const roles = { caller: origin, address: to, codeAddress: to, value, transfer: value }
    enterCall(machine, { depth: 0, ...roles, input: data, gas, isStatic: false }, done)
  }
  runFrames(machine)
  return result!
}

/** Addresses and slots that are warm from the start (EIP-2929, 2930, 3651). */
function warmUp({ world, rules, block, origin }: Machine, tx: Tx): void {
  world.warmAddress(origin)
  if (tx.to !== undefined) world.warmAddress(addressNumber(tx.to))
  for (const key of precompilesOf(rules).keys()) world.warmAddress(addressNumber(toAddress(bytesOfKey(key))))
  if (since(rules, 'shanghai')) world.warmAddress(block.beneficiary)
  for (const { address, slots } of accessListIn(tx)) {
    world.warmAddress(addressNumber(address))
    for (const slot of slots) world.warmSlot(addressNumber(address), bytesToBigInt(slot))
  }
}

/** Gas to pay for: without the refund, which is limited, but no less than the floor. */
function settle(tx: Tx, rules: Rules, world: World, gasLeft: bigint): bigint {
  const spent = tx.gasLimit - gasLeft
  const maxRefund = spent / (since(rules, 'london') ? 5n : 2n)
  const refund = world.refund() < maxRefund ? world.refund() : maxRefund
  const floor = floorGasOf(tx, rules)
  const used = spent - refund
  return used > floor ? used : floor
}
