import { since } from '../../src/forks/rules.ts'
import { emptyBytes } from '../../src/primitives/bytes.ts'
import type { FrameResult } from './frame.ts'
import { enter, type Machine } from './machine.ts'

export interface CreateMessage {
  readonly depth: number
  readonly creator: bigint
  /** Where the contract will be. */
  readonly address: bigint
  readonly value: bigint
  readonly initCode: Uint8Array
  readonly gas: bigint
}

const failed: FrameResult = { status: 'halt', gasLeft: 0n, output: emptyBytes }

/** Starts a creation whose creator can pay and has had its nonce raised; `done` hears of its end. */
export function enterCreate(machine: Machine, create: CreateMessage, done: (result: FrameResult) => void): void {
  const { world, rules } = machine
  const { address, creator, value } = create
  // The address stays warm when the creation fails (EIP-2929).
  if (since(rules, 'berlin')) world.warmAddress(address)
  // EIP-684, and EIP-7610 for storage.
  if (world.nonce(address) > 0n || world.code(address).length > 0 || world.hasStorage(address)) {
    done(failed)
    return
  }

  const snapshot = world.snapshot()
  world.createContract(address, since(rules, 'spuriousDragon') ? 1n : 0n)
  world.subBalance(creator, value)
  world.addBalance(address, value)

  const finish = (result: FrameResult) => {
    const deposited = result.status === 'success' ? depositCode(machine, address, result) : result
    if (deposited.status !== 'success') world.revertTo(snapshot)
    done(deposited)
  }
  const { depth, gas, initCode } = create
  const start = { depth, address, caller: creator, value, input: emptyBytes, code: initCode, isStatic: false, gas }
  enter(machine, { ...start, finish })
}

/** Puts the code that the init code returned in place, at 200 gas a byte. */
function depositCode({ world, rules }: Machine, address: bigint, result: FrameResult): FrameResult {
  const code = result.output
  if (code.length > rules.maxCodeSize) return failed
  if (since(rules, 'london') && code[0] === 0xef) return failed
  const gasLeft = result.gasLeft - 200n * BigInt(code.length)
  if (gasLeft < 0n) {
    // In Frontier a contract that cannot pay is made without code and keeps its gas.
    return since(rules, 'homestead') ? failed : { ...result, output: emptyBytes }
  }
  world.setCode(address, code)
  return { ...result, gasLeft }
}
