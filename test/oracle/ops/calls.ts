import { since } from '../../../src/forks/rules.ts'
import { chargeAccount } from '../access.ts'
import { delegateOf } from '../delegation.ts'
import { type CallMessage, enterCall } from '../enterCall.ts'
import type { Frame } from '../frame.ts'
import { Halt } from '../halt.ts'
import type { Machine } from '../machine.ts'
import { type GasByFork, type Opcode, opcode } from '../opcode.ts'
import { addressIn } from '../words.ts'

// Since Berlin calls are charged by the account's being warm or cold.
const callGas: GasByFork = { frontier: 40n, tangerineWhistle: 700n, berlin: 0n }

/** Gas that comes with value for the one who gets it. */
const stipend = 2300n

type Kind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'

const call = (kind: Kind): Opcode['run'] => {
  return (frame, machine) => {
    const wanted = frame.pop()
    const target = addressIn(frame.pop())
    const value = kind === 'CALL' || kind === 'CALLCODE' ? frame.pop() : 0n
    const [inputAt, inputSize, outputAt, outputSize] = [frame.pop(), frame.pop(), frame.pop(), frame.pop()]
    if (kind === 'CALL' && value > 0n && frame.isStatic) throw new Halt('static violation')

    frame.expand(inputAt, inputSize)
    frame.expand(outputAt, outputSize)
    chargeAccount(frame, machine, target)
    chargeDelegate(frame, machine, target)
    if (value > 0n) frame.charge(9000n)
    if (kind === 'CALL' && bringsIntoBeing(machine, target, value)) frame.charge(25_000n)
    const given = gasFor(frame, machine, wanted)
    frame.charge(given)

    const message: CallMessage = {
      depth: frame.depth + 1,
      input: frame.read(inputAt, inputSize),
      codeAddress: target,
      gas: given + (value > 0n ? stipend : 0n),
      ...rolesIn(kind, frame, target, value),
    }
    enterCall(machine, message, ({ status, gasLeft, output }) => {
      frame.gas += gasLeft
      frame.returnData = output
      const room = Number(outputSize)
      frame.write(outputAt, output.subarray(0, room))
      frame.push(status === 'success' ? 1n : 0n)
    })
  }
}

/** Who calls whom, with what, on whose account. */
function rolesIn(kind: Kind, frame: Frame, target: bigint, value: bigint) {
  const { address, caller, isStatic } = frame
  switch (kind) {
    case 'CALL':
      return { caller: address, address: target, value, transfer: value, isStatic }
    case 'CALLCODE':
      return { caller: address, address, value, transfer: value, isStatic }
    case 'DELEGATECALL':
      return { caller, address, value: frame.value, transfer: undefined, isStatic }
    case 'STATICCALL':
      return { caller: address, address: target, value: 0n, transfer: 0n, isStatic: true }
  }
}

/** Since Prague the account that code is delegated to is accessed, and paid for, too (EIP-7702). */
function chargeDelegate(frame: Frame, machine: Machine, target: bigint): void {
  if (!since(machine.rules, 'prague')) return
  const delegate = delegateOf(machine.world.code(target))
  if (delegate !== undefined) chargeAccount(frame, machine, delegate)
}

/** True when the call makes an account; since EIP-161 only value does. */
function bringsIntoBeing({ world, rules }: Machine, target: bigint, value: bigint): boolean {
  return since(rules, 'spuriousDragon') ? value > 0n && world.isEmpty(target) : !world.exists(target)
}

/** Before EIP-150 what is wanted, if it is there; then at most all but a 64th. */
function gasFor(frame: Frame, { rules }: Machine, wanted: bigint): bigint {
  if (!since(rules, 'tangerineWhistle')) return wanted
  const max = frame.gas - frame.gas / 64n
  return wanted < max ? wanted : max
}

export const calls: readonly Opcode[] = [
  opcode(0xf1, 'CALL', 7, 1, callGas, call('CALL')),
  opcode(0xf2, 'CALLCODE', 7, 1, callGas, call('CALLCODE')),
  opcode(0xf4, 'DELEGATECALL', 6, 1, callGas, call('DELEGATECALL'), 'homestead'),
  opcode(0xfa, 'STATICCALL', 6, 1, callGas, call('STATICCALL'), 'byzantium'),
]
