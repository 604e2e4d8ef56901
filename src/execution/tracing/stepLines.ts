import type { Halt } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import type { Tracer } from '../../evm/tracer.ts'
import { toHex } from '../../primitives/hex.ts'

/** Where a step stood before its opcode ran. */
interface Before {
  readonly pc: number
  readonly gas: bigint
  readonly memory: string
  readonly memorySize: number
  readonly stack: string
  readonly reason: { readonly offset: bigint; readonly length: bigint } | undefined
}

interface StepLineOptions {
  readonly memory: boolean
  /** The text of an exceptional halt. */
  readonly describe: (halt: Halt) => string
}

const { REVERT } = opcodes
const quantity = (n: bigint) => `0x${n.toString(16)}`

/** Bytes as the inside of a JSON text. */
function escaped(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString('latin1')).slice(1, -1)
}

/** Gives a line of JSON for every step, as Besu's trace files have them. */
export function createStepLines(write: (line: string) => void, { memory, describe }: StepLineOptions): Tracer {
  let before: Before | undefined
  return {
    onStep(step) {
      const { pc, gas, memorySize, op } = step
      before = {
        pc,
        gas,
        memorySize,
        memory: memory && memorySize > 0 ? `"memory":"${toHex(step.memory())}",` : '',
        stack: step
          .stack()
          .map((word) => `"${quantity(word)}"`)
          .join(','),
        reason: op === REVERT ? { offset: step.peek(0) ?? 0n, length: step.peek(1) ?? 0n } : undefined,
      }
    },
    onStepEnd(step) {
      const { op, opName, cost, passedGas, depth, refund, error } = step
      const { pc, gas, memorySize, stack, reason, memory: shown } = before!
      const returned = step.returnData()
      let failure = error ? `,"error":"${describe(error)}"` : ''
      if (reason && !error) {
        const at = Number(reason.offset)
        failure = `,"error":"${escaped(step.memoryWindow().slice(at, at + Number(reason.length)))}"`
      }
      const place = `{"pc":${pc},"op":${op},"gas":"${quantity(gas)}","gasCost":"${quantity(cost - passedGas)}",`
      const data = returned.length > 0 ? `"returnData":"${toHex(returned)}",` : ''
      const state = `${shown}"memSize":${memorySize},"stack":[${stack}],${data}"depth":${depth},"refund":${refund}`
      write(`${place}${state},"opName":"${opName}"${failure}}\n`)
    },
  }
}
