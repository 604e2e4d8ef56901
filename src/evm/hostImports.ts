import type { Rules } from '../forks/rules.ts'
import { type Address, emptyBytes, keyOf } from '../primitives/bytes.ts'
import * as layout from './assembly/layout.ts'
import type { EngineImports, EvmModule } from './evmModule.ts'
import type { Host } from './host.ts'
import type { LinearMemory } from './linearMemory.ts'
import type { OpTable } from './opTables.ts'
import type { Precompile, PrecompileSet } from './precompile.ts'
import { readEnter, readExit, viewStep } from './traceEvents.ts'
import type { StepEnd, Tracer } from './tracer.ts'

/** What an engine is working with; replaced by `reset`, `setBlock` and `setTracer`. */
export interface Surroundings {
  host: Host
  rules: Rules
  ops: OpTable
  precompiles: PrecompileSet
  tracer: Tracer | undefined
}

/** Answers the engine's questions. `engine` and `memory` are called later: both come to be after the imports. */
export function createImports(
  around: Surroundings,
  engine: () => EvmModule,
  memory: () => LinearMemory,
): EngineImports {
  let lastAccount = 0
  let lastAddress: Address | undefined
  let stepView: StepEnd | undefined
  // Precompiles that were called before, by their number: making a key costs more than many of them do.
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
    const { precompiles } = around
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

  /** A window onto the input of a precompile: calls in a row often have theirs at the same place. */
  function inputAt(at: number, length: number): Uint8Array {
    if (length === 0) return emptyBytes
    // A window has no length once the memory has grown.
    if (lastInput.length !== length || lastInput.byteOffset !== at) lastInput = memory().window(at, length)
    return lastInput
  }

  function step(): StepEnd {
    stepView ??= viewStep(memory(), engine().stepAt(), () => around.ops)
    return stepView
  }

  return {
    account(account) {
      const m = memory()
      lastAddress = undefined
      const found = around.host.account(addressOf(account))
      if (!found) return
      m.setU32(
        account + layout.A_MARKS,
        found.hasStorage ? layout.MARK_HOST_EXISTS | layout.MARK_HOST_STORAGE : layout.MARK_HOST_EXISTS,
      )
      m.setU64(account + layout.A_HOST_NONCE, found.nonce)
      m.setWord(account + layout.A_HOST_BALANCE, found.balance)
      m.set(account + layout.A_HOST_CODE_HASH, found.codeHash)
    },

    slot(account, key, value) {
      const m = memory()
      const slot = m.wordBytes(key) as Parameters<Host['storage']>[1]
      m.setWordBytes(value, around.host.storage(addressOf(account), slot))
    },

    code(hash) {
      const bytes = around.host.code(memory().hash(hash))
      const entry = engine().newCode(bytes.length)
      memory().set(entry + layout.C_BYTES, bytes)
      return entry
    },

    blockHash(number, value) {
      const hash = around.host.blockHash(BigInt.asUintN(64, number))
      if (hash) memory().setWordBytes(value, hash)
      else memory().setWord(value, 0n)
    },

    precompile(address, input, length, gas) {
      const precompile = precompileAt(address)
      const data = inputAt(input, length)
      const cost = precompile.gas(data, around.rules)
      if (cost > gas) return BigInt(-layout.HALT_OUT_OF_GAS)
      const output = precompile.run(data)
      if (!output) return BigInt(-layout.HALT_PRECOMPILE_FAILURE)
      const to = engine().returnBuffer(output.length)
      memory().set(to, output)
      return gas - cost
    },

    step() {
      around.tracer?.onStep?.(step())
    },
    stepEnd() {
      around.tracer?.onStepEnd?.(step())
    },
    enter() {
      if (around.tracer?.onEnter) around.tracer.onEnter(readEnter(memory(), engine().frameEventAt()))
    },
    exit() {
      if (around.tracer?.onExit) around.tracer.onExit(readExit(memory(), engine().frameEventAt()))
    },
  }
}
