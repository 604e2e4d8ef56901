import type { Precompile } from '../../src/evm/precompile.ts'
import { precompilesOf } from '../../src/evm/precompiles/registry.ts'
import { type Rules, since } from '../../src/forks/rules.ts'
import { emptyBytes, keyOf } from '../../src/primitives/bytes.ts'
import { delegateOf } from './delegation.ts'
import type { FrameResult } from './frame.ts'
import { enter, type Machine } from './machine.ts'
import { addressBytes } from './words.ts'

/** Deepest frame that may run; the transaction's own is 0. */
const maxDepth = 1024

export interface CallMessage {
  readonly depth: number
  readonly caller: bigint
  /** Whose storage and balance the code works on. */
  readonly address: bigint
  readonly codeAddress: bigint
  readonly value: bigint
  /** What moves from the caller to `address`: the value, or nothing where the value is only told. */
  readonly transfer: bigint | undefined
  readonly input: Uint8Array
  readonly gas: bigint
  readonly isStatic: boolean
}

/** True when an account has the wei and the frame may be: what a call and a creation need to begin. */
export function canEnter(machine: Machine, depth: number, payer: bigint, wei: bigint): boolean {
  return depth <= maxDepth && machine.world.balance(payer) >= wei
}

/** Starts a call; `done` hears of its end, which may be now (precompiles, no code) or after frames have run. */
export function enterCall(machine: Machine, call: CallMessage, done: (result: FrameResult) => void): void {
  const { world } = machine
  if (!canEnter(machine, call.depth, call.caller, call.transfer ?? 0n)) {
    done({ status: 'halt', gasLeft: call.gas, output: emptyBytes })
    return
  }

  const snapshot = world.snapshot()
  const finish = (result: FrameResult) => {
    if (result.status !== 'success') world.revertTo(snapshot)
    done(result)
  }
  if (call.transfer !== undefined) {
    world.subBalance(call.caller, call.transfer)
    world.addBalance(call.address, call.transfer)
  }
  const precompile = precompilesOf(machine.rules).get(keyOf(addressBytes(call.codeAddress)))
  if (precompile !== undefined) finish(runPrecompile(precompile, call, machine.rules))
  else enter(machine, { ...call, code: codeToRun(machine, call.codeAddress), finish })
}

function runPrecompile(precompile: Precompile, { input, gas }: CallMessage, rules: Rules): FrameResult {
  const cost = precompile.gas(input, rules)
  const output = cost <= gas ? precompile.run(input) : undefined
  if (output === undefined) return { status: 'halt', gasLeft: 0n, output: emptyBytes }
  return { status: 'success', gasLeft: gas - cost, output }
}

/** The account's code, or that of the account it delegates to; one step only. */
function codeToRun({ world, rules }: Machine, address: bigint): Uint8Array {
  const code = world.code(address)
  const delegate = since(rules, 'prague') ? delegateOf(code) : undefined
  return delegate === undefined ? code : world.code(delegate)
}
