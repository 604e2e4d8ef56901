import { type ByteWriter, createByteWriter } from './byteWriter.ts'

/** Types of values in WebAssembly. */
export const i32 = 0x7f
export const i64 = 0x7e
export const v128 = 0x7b
export type WasmType = typeof i32 | typeof i64 | typeof v128

export interface Signature {
  readonly params: readonly WasmType[]
  readonly results: readonly WasmType[]
}

export interface WasmFunction {
  readonly locals: readonly WasmType[]
  /** Instructions, in parts that follow each other. */
  readonly body: readonly Uint8Array[]
}

export interface ModuleParts {
  /** Functions that are imported, each with its signature. */
  readonly imports: readonly (readonly [name: string, signature: Signature])[]
  /** Mutable globals of type i32 that are imported. */
  readonly globals: readonly string[]
  /** All of one signature, and placed in the imported table, from the index on that is imported, too. */
  readonly functions: readonly WasmFunction[]
  readonly signature: Signature
}

const section = { type: 1, import: 2, function: 3, element: 9, code: 10 } as const
const [importFunction, importTable, importMemory, importGlobal] = [0, 1, 2, 3]
const [functionReference, functionType] = [0x70, 0x60]
const [getGlobal, end] = [0x23, 0x0b]
const [constant, variable] = [0, 1]

/** Encodes a module that imports functions, globals, `memory` and `table` from `engine`, and `tableBase` from `place`. */
export function encodeModule(parts: ModuleParts): Uint8Array {
  const { imports, globals, functions, signature } = parts
  const out = createByteWriter()
  out.append(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  writeSection(out, section.type, [signature, ...imports.map(([, of]) => of)], writeSignature)
  const imported: (readonly [from: string, name: string, ...kind: number[]])[] = [
    ...imports.map(([name], i) => ['engine', name, importFunction, i + 1] as const),
    ['engine', 'table', importTable, functionReference, 0, 0],
    ['engine', 'memory', importMemory, 0, 0],
    ...globals.map((name) => ['engine', name, importGlobal, i32, variable] as const),
    ['place', 'tableBase', importGlobal, i32, constant],
  ]
  writeSection(out, section.import, imported, (to, [from, name, ...kind]) => {
    to.text(from)
    to.text(name)
    for (const part of kind) to.unsigned(part)
  })
  writeSection(out, section.function, functions, (to) => to.unsigned(0))
  writeSection(out, section.element, [globals.length], (to, tableBase) => {
    to.append(Uint8Array.of(0, getGlobal))
    to.unsigned(tableBase)
    to.byte(end)
    to.unsigned(functions.length)
    for (let i = 0; i < functions.length; i++) to.unsigned(imports.length + i)
  })
  writeSection(out, section.code, functions, writeFunction)
  return out.written()
}

function writeSection<T>(
  out: ByteWriter,
  id: number,
  entries: readonly T[],
  write: (to: ByteWriter, entry: T) => void,
): void {
  const content = createByteWriter()
  content.unsigned(entries.length)
  for (const entry of entries) write(content, entry)
  out.byte(id)
  writeSized(out, content)
}

function writeSized(out: ByteWriter, content: ByteWriter): void {
  out.unsigned(content.written().length)
  out.append(content.written())
}

function writeSignature(out: ByteWriter, { params, results }: Signature): void {
  out.byte(functionType)
  for (const types of [params, results]) {
    out.unsigned(types.length)
    for (const type of types) out.byte(type)
  }
}

function writeFunction(out: ByteWriter, { locals, body }: WasmFunction): void {
  const groups: [count: number, type: WasmType][] = []
  for (const type of locals) {
    const last = groups.at(-1)
    if (last?.[1] === type) last[0]++
    else groups.push([1, type])
  }
  const content = createByteWriter()
  content.unsigned(groups.length)
  for (const [count, type] of groups) {
    content.unsigned(count)
    content.byte(type)
  }
  for (const part of body) content.append(part)
  content.byte(end)
  writeSized(out, content)
}
