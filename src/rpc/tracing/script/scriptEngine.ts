import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { Memory, type WasmMemory } from '../../../primitives/wasm.ts'
import { scriptSource } from './scriptSource.ts'
import { windowLayout } from './windowLayout.ts'

/** Memory of the interpreter and all that it holds, in pages of 64 KiB: what it starts with, and at most. */
const pages = { initial: 256, maximum: 2048 }
export const maxScriptMegabytes = pages.maximum / 16
/** Bytes of stack: with more, deep nesting would end the interpreter itself before it notices. */
const stackBytes = 64 * 1024

/** What a tracer's text asks of us. Bytes are passed as copies. */
export type ScriptHost = Readonly<Record<string, (...args: readonly ScriptValue[]) => ScriptValue>>
type ScriptValue = string | number | boolean | Uint8Array | undefined

/** The functions that a tracer's text exposes to us. */
type ScriptCall = 'step' | 'fault' | 'enter' | 'exit' | 'result'

/** A tracer in an interpreter of its own: it sees nothing of ours but what the host gives it. */
export interface Script {
  readonly hasStep: boolean
  readonly hasFrames: boolean
  /** The buffer of a step, which the tracer reads; to be asked for anew whenever the tracer has run. */
  shared(): Buffer
  /** Returns the text that `result` gives; throws a ScriptFailure. */
  call(name: ScriptCall, text?: string): string | undefined
  close(): void
}

/** What a tracer did wrong, in words for its author. */
export class ScriptFailure extends Error {}

export interface ScriptTerms {
  readonly code: string
  /** The tracer's configuration, JSON text. */
  readonly config: string
  readonly host: ScriptHost
  /** Whether its time is over. */
  isOver(): boolean
}

/** An interpreter of JavaScript in WebAssembly. */
export interface ScriptEngine {
  open(terms: ScriptTerms): Script
}

interface Loaded {
  readonly module: QuickJSWASMModule
  readonly memory: WasmMemory
}

let loaded: Loaded | undefined

/** Loads the interpreter, which takes a moment: only those who use it do. */
async function load(): Promise<Loaded> {
  const [{ newQuickJSWASMModuleFromVariant, newVariant }, { default: variant }] = await Promise.all([
    import('quickjs-emscripten-core'),
    import('@jitl/quickjs-wasmfile-release-sync'),
  ])
  // Its own limit of memory is not kept in WebAssembly: that of the memory is.
  const memory = new Memory(pages)
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory: memory as never }),
  )
  return { module, memory }
}

/** The interpreter; the same one until it has failed. */
export async function loadScriptEngine(): Promise<ScriptEngine> {
  loaded ??= await load()
  const engine = loaded
  return { open: (terms) => new SandboxedScript(engine, terms) }
}

/** An interpreter that was interrupted where it does not expect it, or has no memory left, is not used again. */
function giveUp(): void {
  loaded = undefined
}

/** Members of a context that its type does not show: an array buffer whose place in the memory is known is made by no other. */
interface Insides {
  readonly ctx: { readonly value: number }
  readonly ffi: { QTS_NewArrayBuffer(context: number, pointer: number, bytes: number): number }
  readonly memory: {
    newHeapBufferPointer(bytes: Uint8Array): { readonly value: { readonly pointer: number } }
    heapValueHandle(pointer: number): QuickJSHandle
  }
}

class SandboxedScript implements Script {
  private readonly runtime: QuickJSRuntime
  private readonly context: QuickJSContext
  private calls: QuickJSHandle | undefined
  private readonly functions = new Map<ScriptCall, QuickJSHandle>()
  private readonly engine: Loaded
  private readonly isOver: () => boolean
  /** Where the buffer of a step is. */
  private place = 0
  private window: Buffer | undefined
  private isBroken = false
  private isClosed = false
  readonly hasStep: boolean
  readonly hasFrames: boolean

  constructor(engine: Loaded, { code, config, host, isOver }: ScriptTerms) {
    this.engine = engine
    this.isOver = isOver
    this.runtime = engine.module.newRuntime()
    this.runtime.setMaxStackSize(stackBytes)
    this.runtime.setInterruptHandler(isOver)
    const context = (this.context = this.runtime.newContext())
    try {
      this.calls = this.guarded('setup', () => this.start(host, code, config))
    } catch (error) {
      this.close()
      throw error
    }
    const traits = context.getProp(this.calls, 'traits').consume((handle) => context.getString(handle))
    this.hasStep = traits.includes('step')
    this.hasFrames = traits.includes('enter')
    for (const name of ['step', 'fault', 'enter', 'exit', 'result'] as const)
      this.functions.set(name, context.getProp(this.calls, name))
  }

  private start(host: ScriptHost, code: string, config: string): QuickJSHandle {
    const { context } = this
    const start = context.unwrapResult(context.evalCode(scriptSource, 'tracing.js'))
    const args = [this.hostObject(host), this.stepBuffer(), context.newString(code), context.newString(config)]
    const calls = context.callFunction(start, context.undefined, ...args)
    for (const one of [start, ...args]) one.dispose()
    return context.unwrapResult(calls)
  }

  private stepBuffer(): QuickJSHandle {
    const { ctx, ffi, memory } = this.context as unknown as Insides
    this.place = memory.newHeapBufferPointer(new Uint8Array(windowLayout.bytes)).value.pointer
    return memory.heapValueHandle(ffi.QTS_NewArrayBuffer(ctx.value, this.place, windowLayout.bytes))
  }

  private hostObject(host: ScriptHost): QuickJSHandle {
    const { context } = this
    const object = context.newObject()
    for (const [name, answer] of Object.entries(host)) {
      const own = context.newFunction(name, (...handles) =>
        this.toScript(answer(...handles.map((handle) => this.fromScript(handle)))),
      )
      context.setProp(object, name, own)
      own.dispose()
    }
    return object
  }

  private toScript(value: ScriptValue): QuickJSHandle {
    const { context } = this
    if (typeof value === 'string') return context.newString(value)
    if (typeof value === 'number') return context.newNumber(value)
    if (typeof value === 'boolean') return value ? context.true : context.false
    // A copy, also of what is part of a larger buffer.
    return value ? context.newArrayBuffer(new Uint8Array(value).buffer) : context.undefined
  }

  private fromScript(handle: QuickJSHandle): ScriptValue {
    const { context } = this
    const type = context.typeof(handle)
    if (type === 'string') return context.getString(handle)
    if (type === 'number') return context.getNumber(handle)
    return context.getArrayBuffer(handle).consume(({ value }) => value.slice())
  }

  shared(): Buffer {
    // Memory that has grown is another buffer.
    if (!this.window || this.window.byteLength === 0)
      this.window = Buffer.from(this.engine.memory.buffer, this.place, windowLayout.bytes)
    return this.window
  }

  call(name: ScriptCall, text?: string): string | undefined {
    const { context } = this
    return this.guarded(name, () => {
      const method = this.functions.get(name)!
      if (text === undefined) {
        context.unwrapResult(context.callFunction(method, context.undefined)).dispose()
        return undefined
      }
      const argument = context.newString(text)
      const outcome = context.callFunction(method, context.undefined, argument)
      argument.dispose()
      return context
        .unwrapResult(outcome)
        .consume((value) => (name === 'result' ? context.getString(value) : undefined))
    })
  }

  /** Whatever goes wrong in there is the tracer's failure. */
  private guarded<T>(name: string, run: () => T): T {
    if (this.isBroken) throw new ScriptFailure('the tracer has failed before')
    try {
      return run()
    } catch (error) {
      this.isBroken = true
      // As geth puts it, where a function of the tracer was called.
      const where = name === 'setup' ? '' : `    in server-side tracer function '${name}'`
      throw new ScriptFailure(`${this.reasonOf(error)}${where}`)
    }
  }

  private reasonOf(error: unknown): string {
    const { cause } = error as { cause?: unknown }
    // Not an error that the tracer could have thrown: the stack of the interpreter itself has overflowed, say.
    if (!isScriptError(error)) {
      giveUp()
      return error instanceof RangeError ? 'stack overflow' : 'the interpreter has failed'
    }
    const { name, message } = Object(cause) as { name?: unknown; message?: unknown }
    if (message === 'interrupted' && this.isOver()) return 'execution timeout'
    if (message === 'out of memory') {
      giveUp()
      return `out of memory: a tracer has ${maxScriptMegabytes} MB`
    }
    if (typeof message !== 'string') return textOf(cause)
    return name === 'Error' || name === undefined ? message : `${String(name)}: ${message}`
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    // One that was given up is left as it is: it would complain.
    if (this.engine !== loaded) return
    try {
      for (const handle of this.functions.values()) handle.dispose()
      this.calls?.dispose()
      this.context.dispose()
      this.runtime.dispose()
    } catch {
      giveUp()
    }
  }
}

/** What a tracer threw that is no error. */
function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown)
  } catch {
    return String(thrown)
  }
}

/** Whether the tracer threw it, as opposed to the interpreter. */
function isScriptError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === 'QuickJSUnwrapError'
}
