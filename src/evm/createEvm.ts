import { randomBytes } from 'node:crypto'
import { type Rules, rulesOf, since } from '../forks/rules.ts'
import { type Address, bytesOfKey, type Hash32 } from '../primitives/bytes.ts'
import { endAtOnce } from '../system/endAtOnce.ts'
import * as layout from './assembly/layout.ts'
import { encodeOps } from './encodeOps.ts'
import type { Evm, EvmOptions } from './evm.ts'
import { type EvmKind, type EvmModule, instantiateEvm } from './evmModule.ts'
import { EvmError, noMemory } from './fault.ts'
import { encodeSchedule } from './gasSchedule.ts'
import { emptyHost } from './host.ts'
import { createImports, type EvmContext } from './hostImports.ts'
import { createLinearMemory, type LinearMemory } from './linearMemory.ts'
import { type BlockEnv, gasOf, halts, maxGas, type Outcome } from './message.ts'
import { opTableOf } from './opTables.ts'
import type { PrecompileSet } from './precompile.ts'
import { precompilesOf } from './precompiles/registry.ts'
import { readChanges } from './readChanges.ts'
import { readLogs } from './readLogs.ts'
import { mutedOpsOf } from './traceEvents.ts'

/** Linear memory never shrinks: a larger instance is replaced at the next `reset`. */
const maxMemoryBytes = 256 << 20

/** One instance of the WebAssembly engine, the memory that it shares with this side, and the code it has loaded. */
class WasmEvm implements Evm {
  private readonly kind: EvmKind
  private readonly options: EvmOptions
  private readonly choosePrecompiles: (rules: Rules) => PrecompileSet
  private readonly sharedChanges: boolean
  private readonly context: EvmContext
  // Set by the first `reset`: compiling takes longer than all else that a node does before its first answer.
  private wasm!: EvmModule
  private memory!: LinearMemory
  private loaded = false
  /** The rules that the WebAssembly instance was given. */
  private loadedRules: Rules | undefined
  private loadedBlock: BlockEnv | undefined
  /** True while a message runs, and after a host's exception in one. */
  private busy = false
  /** Whether the run that has paused creates a contract. */
  private isCreation = false
  // The message's words serve as scratch space for arguments: a message is written only when it is run.
  private addressAt = 0
  private valueAt = 0
  private slotAt = 0

  constructor(kind: EvmKind, options: EvmOptions = {}) {
    this.options = options
    this.kind = kind
    this.choosePrecompiles = options.precompiles ?? precompilesOf
    this.sharedChanges = options.sharedChanges ?? false
    const frontier = rulesOf('frontier')
    this.context = {
      host: emptyHost,
      rules: frontier,
      ops: opTableOf(frontier),
      precompiles: new Map(),
      tracer: options,
    }
  }

  private readonly exhausted = (): never => {
    if (this.options.isTrial) throw new EvmError({ code: 'NO_MEMORY' }, undefined, noMemory)
    return endAtOnce(noMemory)
  }

  private instantiate(): void {
    this.wasm = instantiateEvm(
      this.kind,
      createImports(this.context, { wasm: () => this.wasm, memory: () => this.memory, exhausted: this.exhausted }),
    )
    this.memory = createLinearMemory(this.wasm.memory)
    const factors = new BigInt64Array(randomBytes(40).buffer.slice(0, 40))
    this.wasm.setHashFactors(factors[0]! | 1n, factors[1]! | 1n, factors[2]! | 1n, factors[3]! | 1n, factors[4]! | 1n)
    this.wasm.resetWorld()
    this.addressAt = this.wasm.messageAt() + layout.M_TO
    this.valueAt = this.wasm.messageAt() + layout.M_VALUE
    this.slotAt = this.wasm.messageAt() + layout.M_SALT
    this.loadedRules = undefined
    this.loadedBlock = undefined
    this.busy = false
    this.loaded = true
    this.writeMutedOps()
    this.wasm.setWorkLeft(maxGas)
  }

  /** Writes which opcodes the tracer does not watch: their steps save a call out of WebAssembly. */
  private writeMutedOps(): void {
    if (this.kind !== 'exact' || !this.loaded) return
    this.memory.set(this.wasm.stepAt() + layout.T_MUTED, mutedOpsOf(this.context.tracer))
  }

  private accountOf(address: Address): number {
    this.memory.setWordBytes(this.addressAt, address)
    return this.wasm.accountOf(this.addressAt)
  }

  private slotOf(address: Address, slot: Hash32): number {
    const account = this.accountOf(address)
    this.memory.setWordBytes(this.slotAt, slot)
    return this.wasm.slotOf(account, this.slotAt)
  }

  private loadRules(rules: Rules): void {
    this.context.rules = rules
    this.context.ops = opTableOf(rules)
    this.context.precompiles = this.choosePrecompiles(rules)
    this.memory.set(this.wasm.opsAt(), encodeOps(this.context.ops))
    this.memory.set(this.wasm.scheduleAt(), encodeSchedule(rules, this.sharedChanges))
    this.wasm.setOpTable(rules.index + 1)
    this.wasm.prepareStack()
    const addresses = [...this.context.precompiles.keys()]
    const words = this.wasm.inputAt(32 * addresses.length)
    for (const [i, key] of addresses.entries()) this.memory.setWordBytes(words + 32 * i, bytesOfKey(key))
    this.wasm.setPrecompiles(words, addresses.length)
    this.loadedRules = rules
  }

  private outcomeOf(code: number, creates: boolean): Outcome {
    if (code === layout.PAUSED) {
      this.isCreation = creates
      return { status: 'paused', halt: 'stop', gasLeft: 0n, output: new Uint8Array(0) }
    }
    this.busy = false
    const halt = halts[code]!
    const status = code <= layout.HALT_SELFDESTRUCT ? 'success' : code === layout.HALT_REVERT ? 'revert' : 'halt'
    const output = this.memory.slice(this.wasm.returnDataAt(), this.wasm.returnDataLength())
    const outcome = { status, halt, gasLeft: this.wasm.gasLeftOver(), output } as const
    return status === 'success' && creates
      ? { ...outcome, created: this.memory.address(this.wasm.outermostSelf()) }
      : outcome
  }

  private sendInput(data: Uint8Array): void {
    this.memory.set(this.wasm.inputAt(data.length), data)
  }

  readonly memoryBytes = (): number => (this.loaded ? this.memory.size() - this.wasm.untouchedBytes() : 0)

  readonly reset: Evm['reset'] = (host) => {
    this.context.host = host
    if (!this.loaded || this.busy || this.memoryBytes() > maxMemoryBytes) this.instantiate()
    else this.wasm.resetWorld()
  }

  readonly setBlock: Evm['setBlock'] = (env, rules) => {
    if (rules === this.loadedRules && env === this.loadedBlock) return
    if (rules !== this.loadedRules) this.loadRules(rules)
    this.loadedBlock = env
    const at = this.wasm.environmentAt()
    this.memory.setWordBytes(at + layout.E_COINBASE, env.beneficiary)
    this.memory.setWord(at + layout.E_TIMESTAMP, env.timestamp)
    this.memory.setWord(at + layout.E_NUMBER, env.number)
    this.memory.setWord(at + layout.E_GAS_LIMIT, env.gasLimit)
    this.memory.setWord(at + layout.E_CHAIN_ID, env.chainId)
    this.memory.setWord(at + layout.E_BASE_FEE, env.baseFee)
    this.memory.setWord(at + layout.E_BLOB_BASE_FEE, env.blobBaseFee)
    if (since(rules, 'paris')) this.memory.setWordBytes(at + layout.E_RANDOMNESS, env.prevRandao)
    else this.memory.setWord(at + layout.E_RANDOMNESS, env.difficulty)
  }

  readonly beginTx: Evm['beginTx'] = ({ origin, gasPrice, blobHashes }) => {
    this.wasm.beginTransaction()
    const at = this.wasm.environmentAt()
    this.memory.setWordBytes(at + layout.E_ORIGIN, origin)
    this.memory.setWord(at + layout.E_GAS_PRICE, gasPrice)
    const hashes = this.wasm.blobHashesAt(blobHashes.length)
    for (const [i, hash] of blobHashes.entries()) this.memory.setWordBytes(hashes + 32 * i, hash)
  }

  readonly warmAddress: Evm['warmAddress'] = (address) => this.wasm.warmAccount(this.accountOf(address))

  readonly warmSlot: Evm['warmSlot'] = (address, slot) => {
    const account = this.accountOf(address)
    this.memory.setWordBytes(this.slotAt, slot)
    this.wasm.warmSlot(account, this.slotAt)
  }

  readonly exists: Evm['exists'] = (address) =>
    (this.memory.u32(this.accountOf(address) + layout.A_FLAGS) & layout.ACCOUNT_EXISTS) !== 0

  readonly isEmpty: Evm['isEmpty'] = (address) => Boolean(this.wasm.isEmptyAccount(this.accountOf(address)))

  readonly balance: Evm['balance'] = (address) => this.memory.word(this.accountOf(address) + layout.A_BALANCE)

  readonly nonce: Evm['nonce'] = (address) => this.memory.u64(this.accountOf(address) + layout.A_NONCE)

  readonly codeHash: Evm['codeHash'] = (address) => this.memory.hash(this.accountOf(address) + layout.A_CODE_HASH)

  readonly code: Evm['code'] = (address) => {
    const entry = this.wasm.codeOf(this.accountOf(address))
    return this.memory.slice(entry + layout.C_BYTES, this.memory.u32(entry + layout.C_LENGTH))
  }

  readonly storage: Evm['storage'] = (address, slot) =>
    this.memory.wordBytes(this.slotOf(address, slot) + layout.L_VALUE)

  readonly addBalance: Evm['addBalance'] = (address, wei) => {
    const account = this.accountOf(address)
    this.memory.setWord(this.valueAt, wei)
    this.wasm.addBalance(account, this.valueAt)
  }

  readonly subBalance: Evm['subBalance'] = (address, wei) => {
    const account = this.accountOf(address)
    this.memory.setWord(this.valueAt, wei)
    this.wasm.subtractBalance(account, this.valueAt)
  }

  readonly setNonce: Evm['setNonce'] = (address, nonce) => this.wasm.setNonce(this.accountOf(address), nonce)

  readonly setCode: Evm['setCode'] = (address, code) => {
    const account = this.accountOf(address)
    this.sendInput(code)
    this.wasm.setCode(account, code.length)
  }

  readonly setStorage: Evm['setStorage'] = (address, slot, value) => {
    const account = this.accountOf(address)
    this.memory.setWordBytes(this.slotAt, slot)
    this.memory.setWordBytes(this.valueAt, value)
    this.wasm.setSlot(account, this.slotAt, this.valueAt)
  }

  readonly call: Evm['call'] = (message) => {
    const at = this.wasm.messageAt()
    this.memory.setWordBytes(at + layout.M_FROM, message.from)
    this.memory.setWordBytes(at + layout.M_TO, message.to)
    this.memory.setWordBytes(at + layout.M_CODE_ADDRESS, message.codeAddress ?? message.to)
    this.memory.setWord(at + layout.M_VALUE, message.value)
    const keeps = message.transfersValue === false ? layout.MESSAGE_KEEPS_VALUE : 0
    this.memory.setU32(at + layout.M_FLAGS, keeps | (message.isStatic ? layout.MESSAGE_STATIC : 0))
    this.sendInput(message.data)
    this.busy = true
    return this.outcomeOf(this.wasm.runMessage(message.data.length, gasOf(message.gas)), false)
  }

  readonly create: Evm['create'] = (message) => {
    const at = this.wasm.messageAt()
    const nonce = message.nonce ?? this.memory.u64(this.accountOf(message.from) + layout.A_NONCE)
    this.memory.setWordBytes(at + layout.M_FROM, message.from)
    this.memory.setWord(at + layout.M_VALUE, message.value)
    if (message.salt) this.memory.setWordBytes(at + layout.M_SALT, message.salt)
    if (message.address) this.memory.setWordBytes(at + layout.M_TO, message.address)
    this.memory.setU32(at + layout.M_FLAGS, message.address ? layout.MESSAGE_AT_ADDRESS : 0)
    this.sendInput(message.initCode)
    this.busy = true
    const kind = message.salt ? layout.KIND_CREATE2 : layout.KIND_CREATE
    return this.outcomeOf(this.wasm.runCreation(kind, nonce, message.initCode.length, gasOf(message.gas)), true)
  }

  readonly setWork: Evm['setWork'] = (gas) => this.wasm.setWorkLeft(gas)

  readonly workLeft: Evm['workLeft'] = () => this.wasm.workLeft()

  readonly resume: Evm['resume'] = () => this.outcomeOf(this.wasm.resumeRun(), this.isCreation)

  readonly abandon: Evm['abandon'] = () => {
    const { tracer } = this.context
    this.context.tracer = undefined
    this.wasm.abandonRun()
    this.context.tracer = tracer
    this.busy = false
  }

  readonly snapshot: Evm['snapshot'] = () => this.wasm.journalLength()

  readonly revertTo: Evm['revertTo'] = (snapshot) => this.wasm.revertTo(snapshot)

  readonly refund: Evm['refund'] = () => this.wasm.refundCounter()

  readonly addRefund: Evm['addRefund'] = (gas) => this.wasm.addRefund(gas)

  readonly logs: Evm['logs'] = () => readLogs(this.memory, this.wasm.logsAt(), this.wasm.logsLength())

  readonly endTx: Evm['endTx'] = () =>
    this.wasm.endTransaction(this.context.rules.clearsEmptyAccounts && !this.sharedChanges)

  readonly changes: Evm['changes'] = () => readChanges(this.wasm, this.memory)

  readonly flushed: Evm['flushed'] = () => this.wasm.settle()

  readonly setTracer: Evm['setTracer'] = (tracer) => {
    this.context.tracer = tracer
    this.writeMutedOps()
  }
}

/** Creates an EVM; only the 'exact' kind calls the tracer. */
export function createEvm(kind: EvmKind, options: EvmOptions = {}): Evm {
  return new WasmEvm(kind, options)
}
