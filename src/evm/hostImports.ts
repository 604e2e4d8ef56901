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

/** What the module calls: the host's state, precompiles, and the tracer; with what the last calls used at hand. */
class HostImports implements EvmImports {
  private readonly context: EvmContext
  private readonly parts: ImportParts
  private lastAccount = 0
  private lastAddress: Address | undefined
  private stepView: StepEnd | undefined
  // Precompiles that were called before, by number: making the key of the set costs more than many precompiles.
  private called = new Map<number, Precompile>()
  private calledOf: PrecompileSet | undefined
  private lastInput: Uint8Array = emptyBytes
  readonly exhausted: EvmImports['exhausted']

  constructor(context: EvmContext, parts: ImportParts) {
    this.context = context
    this.parts = parts
    this.exhausted = parts.exhausted
  }

  private addressOf(account: number): Address {
    if (account !== this.lastAccount || !this.lastAddress) {
      this.lastAccount = account
      this.lastAddress = this.parts.memory().address(account)
    }
    return this.lastAddress
  }

  private precompileAt(address: number): Precompile {
    const m = this.parts.memory()
    const { precompiles } = this.context
    const isLow = (m.u32(address + 4) | m.u32(address + 8) | m.u32(address + 12) | m.u32(address + 16)) === 0
    if (!isLow) return precompiles.get(keyOf(m.address(address)))!
    if (this.calledOf !== precompiles) {
      this.calledOf = precompiles
      this.called = new Map()
    }
    const number = m.u32(address)
    let precompile = this.called.get(number)
    if (!precompile) this.called.set(number, (precompile = precompiles.get(keyOf(m.address(address)))!))
    return precompile
  }

  /** Returns a view of a precompile's input; consecutive calls often have it at the same address. */
  private inputAt(at: number, length: number): Uint8Array {
    if (length === 0) return emptyBytes
    // A view has length 0 once the memory has grown.
    if (this.lastInput.length !== length || this.lastInput.byteOffset !== at >>> 0)
      this.lastInput = this.parts.memory().window(at, length)
    return this.lastInput
  }

  private viewOfStep(): StepEnd {
    this.stepView ??= viewStep(this.parts.memory(), this.parts.wasm().stepAt(), () => this.context.ops)
    return this.stepView
  }

  readonly account: EvmImports['account'] = (account) => {
    const m = this.parts.memory()
    this.lastAddress = undefined
    const found = this.context.host.account(this.addressOf(account))
    if (!found) return
    const storage = found.hasStorage ? layout.MARK_HOST_STORAGE : 0
    const readOnly = found.readOnly ? layout.MARK_READ_ONLY : 0
    m.setU32(account + layout.A_MARKS, layout.MARK_HOST_EXISTS | storage | readOnly)
    m.setU64(account + layout.A_HOST_NONCE, found.nonce)
    m.setWord(account + layout.A_HOST_BALANCE, found.balance)
    m.set(account + layout.A_HOST_CODE_HASH, found.codeHash)
  }

  readonly slot: EvmImports['slot'] = (account, key, value) => {
    const m = this.parts.memory()
    const slot = m.wordBytes(key) as Parameters<Host['storage']>[1]
    m.setWordBytes(value, this.context.host.storage(this.addressOf(account), slot))
  }

  readonly code: EvmImports['code'] = (hash) => {
    const bytes = this.context.host.code(this.parts.memory().hash(hash))
    const entry = this.parts.wasm().newCode(bytes.length)
    this.parts.memory().set(entry + layout.C_BYTES, bytes)
    return entry
  }

  readonly blockHash: EvmImports['blockHash'] = (number, value) => {
    const hash = this.context.host.blockHash(BigInt.asUintN(64, number))
    if (hash) this.parts.memory().setWordBytes(value, hash)
    else this.parts.memory().setWord(value, 0n)
  }

  readonly precompile: EvmImports['precompile'] = (address, input, length, gas) => {
    const precompile = this.precompileAt(address)
    const data = this.inputAt(input, length)
    const cost = precompile.gas(data, this.context.rules)
    if (cost > gas) return BigInt(-layout.HALT_OUT_OF_GAS)
    const output = precompile.run(data)
    if (!output) return BigInt(-layout.HALT_PRECOMPILE_FAILURE)
    const to = this.parts.wasm().returnBuffer(output.length)
    this.parts.memory().set(to, output)
    return gas - cost
  }

  readonly step: EvmImports['step'] = () => {
    this.context.tracer?.onStep?.(this.viewOfStep())
  }

  readonly stepEnd: EvmImports['stepEnd'] = () => {
    this.context.tracer?.onStepEnd?.(this.viewOfStep())
  }

  readonly enter: EvmImports['enter'] = () => {
    if (this.context.tracer?.onEnter)
      this.context.tracer.onEnter(readEnter(this.parts.memory(), this.parts.wasm().frameEventAt()))
  }

  readonly exit: EvmImports['exit'] = () => {
    if (this.context.tracer?.onExit)
      this.context.tracer.onExit(readExit(this.parts.memory(), this.parts.wasm().frameEventAt()))
  }
}

/** Creates the imports of the WebAssembly module. */
export function createImports(context: EvmContext, parts: ImportParts): EvmImports {
  return new HostImports(context, parts)
}
