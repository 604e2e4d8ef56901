import { compileWasm, instantiateWasm, type WasmMemory, type WasmModule } from '../primitives/wasm.ts'

/** Fast: gas per basic block. Exact: gas per opcode, exact kinds of halts, calls a tracer, and can pause. */
export type EvmKind = 'fast' | 'exact'

/** Imports of the WebAssembly module (assembly/host.ts). Numbers are addresses in its memory. */
export interface EvmImports {
  account(account: number): void
  slot(account: number, key: number, value: number): void
  code(hash: number): number
  blockHash(number: bigint, value: number): void
  precompile(address: number, input: number, length: number, gas: bigint): bigint
  exhausted(): never
  step(): void
  stepEnd(): void
  enter(): void
  exit(): void
}

/** Exports of the WebAssembly module (assembly/module.ts). */
export interface EvmModule {
  readonly memory: WasmMemory
  abandonRun(): void
  accountDiffers(account: number): number
  accountOf(address: number): number
  addBalance(account: number, amount: number): void
  addRefund(amount: bigint): void
  beginTransaction(): void
  blobHashesAt(count: number): number
  codeDiffers(account: number): number
  codeOf(account: number): number
  differingSlot(account: number, slot: number): number
  dirtyAccount(i: number): number
  dirtyAccounts(): number
  endTransaction(clearsEmpty: boolean): void
  environmentAt(): number
  frameEventAt(): number
  gasLeftOver(): bigint
  inputAt(length: number): number
  isEmptyAccount(account: number): number
  journalLength(): number
  logsAt(): number
  logsLength(): number
  messageAt(): number
  newCode(length: number): number
  opsAt(): number
  outermostSelf(): number
  prepareStack(): void
  refundCounter(): bigint
  resetWorld(): void
  returnBuffer(length: number): number
  returnDataAt(): number
  returnDataLength(): number
  revertTo(snapshot: number): void
  resumeRun(): number
  runCreation(kind: number, nonce: bigint, length: number, gas: bigint): number
  runMessage(length: number, gas: bigint): number
  scheduleAt(): number
  setCode(account: number, length: number): void
  setHashFactors(a: bigint, b: bigint, c: bigint, d: bigint, e: bigint): void
  setNonce(account: number, nonce: bigint): void
  setOpTable(id: number): void
  setPrecompiles(words: number, count: number): void
  setSlot(account: number, key: number, value: number): void
  settle(): void
  setWorkLeft(amount: bigint): void
  slotOf(account: number, key: number): number
  stepAt(): number
  subtractBalance(account: number, amount: number): void
  untouchedBytes(): number
  warmAccount(account: number): void
  warmSlot(account: number, key: number): void
  workLeft(): bigint
}

const compiled = new Map<EvmKind, WasmModule>()

/** Creates an instance of the build, which is compiled once per process. */
export function instantiateEvm(kind: EvmKind, imports: EvmImports): EvmModule {
  let module = compiled.get(kind)
  if (!module) {
    module = compileWasm(`evm-${kind}`)
    compiled.set(kind, module)
  }
  return instantiateWasm<EvmModule>(module, { host: imports })
}
