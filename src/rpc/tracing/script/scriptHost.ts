import type { Evm } from '../../../evm/evm.ts'
import { opcodes } from '../../../evm/opcodes.ts'
import { precompilesOf } from '../../../evm/precompiles/registry.ts'
import type { FrameEnter } from '../../../evm/tracer.ts'
import type { Rules } from '../../../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../../../primitives/bytes.ts'
import { hexToAddress, hexToHash } from '../../../primitives/hex.ts'
import { keccak256 } from '../../../primitives/keccak.ts'
import type { ScriptHost } from './scriptEngine.ts'

/** Who calls whom in a frame, as its code sees it. */
export interface ScriptContract {
  readonly caller: Address
  readonly address: Address
  readonly value: bigint
  readonly input: Uint8Array
}

/** What a step changes before it is reported: its gas is known afterwards only, but a tracer sees what was before it. */
export interface StepBefore {
  /** Bytes of memory that it overwrites, and where. */
  memoryAt: number
  memory: Uint8Array
  memorySize: number
  /** The slot that it writes: address and slot, one after the other, in hexadecimal. */
  slot: string
  slotValue: Uint8Array
}

/** What a tracer may look at; set before each of its calls. */
export interface ScriptView {
  readonly before: StepBefore
  contract: ScriptContract | undefined
  frame: Pick<FrameEnter, 'from' | 'to' | 'input'> | undefined
  output: Uint8Array
  /** The memory of the frame after the step. */
  memory: () => Uint8Array
}

/** Names as geth prints them; they do not depend on the fork. */
const opNames = Array.from({ length: 256 }, (_, op) => `opcode 0x${op.toString(16)} not defined`)
for (const [name, op] of Object.entries(opcodes)) opNames[op] = name
opNames[0x20] = 'KECCAK256'
opNames[0x44] = 'DIFFICULTY'
const opNamesText = JSON.stringify(opNames)

/** The contract of a frame that begins, within that of its caller. */
export function contractOf(enter: FrameEnter): ScriptContract {
  const { kind, from, to, value, input } = enter
  const creates = kind === 'CREATE' || kind === 'CREATE2'
  return { caller: from, address: to, value, input: creates ? emptyBytes : input }
}

/** The same for code that runs in the place of its caller. */
export function borrowedContract(enter: FrameEnter, caller: ScriptContract | undefined): ScriptContract {
  const { kind, from, value, input } = enter
  if (kind === 'DELEGATECALL' && caller) return { ...caller, input }
  return { caller: from, address: from, value, input }
}

function memoryOf({ before, memory }: ScriptView, begin: number, end: number): Uint8Array {
  const out = new Uint8Array(end - begin)
  const last = Math.min(end, before.memorySize)
  if (begin >= last) return out
  out.set(memory().subarray(begin, last))
  const { memoryAt, memory: old } = before
  const first = Math.max(begin, memoryAt)
  const oldEnd = Math.min(last, memoryAt + old.length)
  if (first < oldEnd) out.set(old.subarray(first - memoryAt, oldEnd - memoryAt), first - begin)
  return out
}

/** What the text of a tracer may ask for: the state as it is, and the step or frame that is under way. */
export function createScriptHost(evm: Evm, rules: Rules, view: ScriptView): ScriptHost {
  const account = (text: unknown) => hexToAddress(text as string)
  const ownContract = (): ScriptContract => {
    if (!view.contract) throw new Error('no contract runs')
    return view.contract
  }
  return {
    opNames: () => opNamesText,
    memory: (begin, end) => memoryOf(view, begin as number, end as number),
    contract: (part) => ownContract()[part as 'caller' | 'address' | 'input'],
    contractValue: () => ownContract().value.toString(),
    frame: (part) => (part === 'output' ? view.output : view.frame?.[part as 'from' | 'to' | 'input']),
    balance: (address) => evm.balance(account(address)).toString(),
    nonce: (address) => Number(evm.nonce(account(address))),
    code: (address) => evm.code(account(address)),
    state: (address, slot) =>
      `${address}${slot}` === view.before.slot
        ? view.before.slotValue
        : evm.storage(account(address), hexToHash(slot as string)),
    exists: (address) => evm.exists(account(address)),
    keccak: (bytes) => keccak256(bytes as Uint8Array),
    isPrecompiled: (address) => precompilesOf(rules).has(keyOf(account(address))),
  }
}
