import type { Rules } from '../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../primitives/bytes.ts'
import * as layout from './assembly/layout.ts'
import type { EvmImports, EvmModule } from './evmModule.ts'
import type { Host } from './host.ts'
import type { LinearMemory } from './linearMemory.ts'
import type { OpTable } from './opTables.ts'
import type { Precompile, PrecompileSet } from './precompile.ts'
import { readEnter, readExit, viewStep } from './traceEvents.ts'
import type { StepEnd, Tracer } from './tracer.ts'

/** The host, rules and tracer of an EVM, set by `reset`, `setBlock` and `setTracer`. */
export interface EvmContext {
  host: Host
  rules: Rules
  ops: OpTable
  precompiles: PrecompileSet
  tracer: Tracer | undefined
}

/** What the imports of a WebAssembly module work on: functions, because it exists only afterwards. */
export interface ImportParts {
  wasm(): EvmModule
  memory(): LinearMemory
  /** The machine has no memory left. */
  exhausted(): never
}

/** Creates the imports of the WebAssembly module. */
export function createImports(context: EvmContext, { wasm, memory, exhausted }: ImportParts): EvmImports {
  let lastAccount = 0
  let lastAddress: Address | undefined
  let stepView: StepEnd | undefined
  // Precompiles that were called before, by number: making the key of the set costs more than many precompiles.
  let called = new Map<number, Precompile>()
  let calledOf: PrecompileSet | undefined
  let lastInput: Uint8Array = emptyBytes

  function addressOf(account: number): Address {
    if (account !== lastAccount || !lastAddress) {
      lastAccount = account
      lastAddress = memory().address(account)
    }
    return lastAddress
  }

  function precompileAt(address: number): Precompile {
    const m = memory()
    const { precompiles } = context
    const isLow = (m.u32(address + 4) | m.u32(address + 8) | m.u32(address + 12) | m.u32(address + 16)) === 0
    if (!isLow) return precompiles.get(keyOf(m.address(address)))!
    if (calledOf !== precompiles) {
      calledOf = precompiles
      called = new Map()
    }
    const number = m.u32(address)
    let precompile = called.get(number)
    if (!precompile) called.set(number, (precompile = precompiles.get(keyOf(m.address(address)))!))
    return precompile
  }

  /** Returns a view of a precompile's input; consecutive calls often have it at the same address. */
  function inputAt(at: number, length: number): Uint8Array {
    if (length === 0) return emptyBytes
    // A view has length 0 once the memory has grown.
    if (lastInput.length !== length || lastInput.byteOffset !== at >>> 0) lastInput = memory().window(at, length)
    return lastInput
  }

  function step(): StepEnd {
    stepView ??= viewStep(memory(), wasm().stepAt(), () => context.ops)
    return stepView
  }

  return {
    account(account) {
      const m = memory()
      lastAddress = undefined
      const found = context.host.account(addressOf(account))
      if (!found) return
      const storage = found.hasStorage ? layout.MARK_HOST_STORAGE : 0
      const readOnly = found.readOnly ? layout.MARK_READ_ONLY : 0
      m.setU32(account + layout.A_MARKS, layout.MARK_HOST_EXISTS | storage | readOnly)
      m.setU64(account + layout.A_HOST_NONCE, found.nonce)
      m.setWord(account + layout.A_HOST_BALANCE, found.balance)
      m.set(account + layout.A_HOST_CODE_HASH, found.codeHash)
    },

    slot(account, key, value) {
      const m = memory()
      const slot = m.wordBytes(key) as Parameters<Host['storage']>[1]
      m.setWordBytes(value, context.host.storage(addressOf(account), slot))
    },

    code(hash) {
      const bytes = context.host.code(memory().hash(hash))
      const entry = wasm().newCode(bytes.length)
      memory().set(entry + layout.C_BYTES, bytes)
      return entry
    },

    blockHash(number, value) {
      const hash = context.host.blockHash(BigInt.asUintN(64, number))
      if (hash) memory().setWordBytes(value, hash)
      else memory().setWord(value, 0n)
    },

    precompile(address, input, length, gas) {
      const precompile = precompileAt(address)
      const data = inputAt(input, length)
      const cost = precompile.gas(data, context.rules)
      if (cost > gas) return BigInt(-layout.HALT_OUT_OF_GAS)
      const output = precompile.run(data)
      if (!output) return BigInt(-layout.HALT_PRECOMPILE_FAILURE)
      const to = wasm().returnBuffer(output.length)
      memory().set(to, output)
      return gas - cost
    },

    exhausted,

    step() {
      context.tracer?.onStep?.(step())
    },
    stepEnd() {
      context.tracer?.onStepEnd?.(step())
    },
    enter() {
      if (context.tracer?.onEnter) context.tracer.onEnter(readEnter(memory(), wasm().frameEventAt()))
    },
    exit() {
      if (context.tracer?.onExit) context.tracer.onExit(readExit(memory(), wasm().frameEventAt()))
    },
  }
}
