import { opcodes } from '../../evm/opcodes.ts'
import type { Step } from '../../evm/tracer.ts'
import { type Hash32, keyOf } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'

/** geth pads with no more zeros than these: the opcode cannot pay for memory behind them. */
const maxPadding = 1_048_576
const longest = 2n ** 63n

/** What contracts hashed, each input once. */
export interface KeccakInputs {
  see(step: Step): void
  all(): readonly HashedInput[]
}

interface HashedInput {
  readonly hash: Hash32
  readonly input: Uint8Array
}

/** What KECCAK256 is about to hash; undefined for another opcode, and for one that must fail. */
function inputOf(step: Step): Uint8Array | undefined {
  if (step.op !== opcodes.KECCAK256 || step.stackHeight < 2) return undefined
  const [offset, length] = [BigInt.asUintN(64, step.peek(0)!), BigInt.asUintN(64, step.peek(1)!)]
  if (offset >= longest || length >= longest) return undefined
  if (length === 0n) return new Uint8Array(0)
  const end = Number(offset + length)
  if (end - step.memorySize > maxPadding) return undefined
  const input = new Uint8Array(Number(length))
  input.set(step.memoryWindow().subarray(Number(offset), Math.min(end, step.memorySize)))
  return input
}

/** Collects them from the steps that it sees. */
export function createKeccakInputs(): KeccakInputs {
  const inputs = new Map<string, HashedInput>()
  return {
    see(step) {
      const input = inputOf(step)
      if (!input) return
      const hash = keccak256(input)
      inputs.set(keyOf(hash), { hash, input })
    },
    all: () => [...inputs.values()],
  }
}
