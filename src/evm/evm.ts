import { randomBytes } from 'node:crypto'
import { type Rules, rulesOf, since } from '../forks/rules.ts'
import { type Address, bytesOfKey, type Hash32 } from '../primitives/bytes.ts'
import { endAtOnce } from '../system/endAtOnce.ts'
import type { Log } from '../types/log.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import * as layout from './assembly/layout.ts'
import { encodeOps } from './encodeOps.ts'
import { type EvmKind, type EvmModule, instantiateEvm } from './evmModule.ts'
import { EvmError, noMemory } from './fault.ts'
import { encodeSchedule } from './gasSchedule.ts'
import type { Host } from './host.ts'
import { createImports, type EvmContext } from './hostImports.ts'
import { createLinearMemory, type LinearMemory } from './linearMemory.ts'
import { type BlockEnv, type CreateMessage, halts, type Message, type Outcome, type TxEnv } from './message.ts'
import { opTableOf } from './opTables.ts'
import type { PrecompileSet } from './precompile.ts'
import { precompilesOf } from './precompiles/registry.ts'
import { readChanges } from './readChanges.ts'
import { readLogs } from './readLogs.ts'
import { mutedOpsOf } from './traceEvents.ts'
import type { Tracer } from './tracer.ts'

export interface EvmOptions extends Tracer {
  /** Returns the precompiles of a fork; default: those of the public networks. */
  readonly precompiles?: (rules: Rules) => PrecompileSet
  /**
   * All frames of a transaction share one set of pending changes: one that completes makes all of them final, one that
   * fails drops them. No account is removed. So Besu runs private transactions. Default: false.
   */
  readonly sharedChanges?: boolean
  /**
   * What it runs belongs to one caller alone: if the machine has no memory left, an EvmError is thrown. By default the process ends,
   * because what a transaction does must be the same on every node. Default: false.
   */
  readonly isTrial?: boolean
}

// Why the state lives in linear memory: docs/adr/0004-evm-in-linear-memory.md.

/**
 * An EVM with its state: a journaled overlay over a host, all in the linear memory of one WebAssembly instance.
 * Synchronous, for one caller at a time. If a host throws, the exception passes through, and only `reset` may be called
 * afterwards.
 */
export interface Evm {
  /** Starts over on another host: drops all cached accounts and slots, keeps code. Has to be called first. */
  reset(host: Host): void
  setBlock(env: BlockEnv, rules: Rules): void
  /**
   * Begins a transaction: clears warm sets, transient storage, refund and logs; current values become the original
   * values of SSTORE's gas rules. Earlier changes can no longer be reverted.
   */
  beginTx(env: TxEnv): void
  warmAddress(address: Address): void
  warmSlot(address: Address, slot: Hash32): void
  exists(address: Address): boolean
  /** Whether nonce, balance and code are empty; also true for an account that does not exist. */
  isEmpty(address: Address): boolean
  balance(address: Address): bigint
  nonce(address: Address): bigint
  codeHash(address: Address): Hash32
  code(address: Address): Uint8Array
  /** 32 bytes, big-endian. */
  storage(address: Address, slot: Hash32): Uint8Array
  /** Adds to the balance and touches the account, also with 0 wei. */
  addBalance(address: Address, wei: bigint): void
  /** Subtracts from the balance; the caller has checked that it is sufficient. */
  subBalance(address: Address, wei: bigint): void
  setNonce(address: Address, nonce: bigint): void
  setCode(address: Address, code: Uint8Array): void
  setStorage(address: Address, slot: Hash32, value: Uint8Array): void
  /**
   * Transfers the value and runs the code of `codeAddress` (or `to`), following a delegation, which makes the delegate
   * warm. A call that fails reverts its own changes.
   */
  call(message: Message): Outcome
  /**
   * Runs init code and stores the returned code. The creator's nonce is neither checked nor changed: the caller raises it,
   * before or after, and passes the nonce that the address derives from (default: the nonce at the time of this call). A
   * collision costs all gas. With status 'success', `created` is set and `output` is the code.
   */
  create(message: CreateMessage): Outcome
  /**
   * Lets the run of the next message pause when it has spent this gas, of whatever gas it has; only the 'exact'
   * kind. It then returns the outcome 'paused', and only `resume`, `abandon` or `reset` may be called.
   */
  setWork(gas: bigint): void
  /** What is left of it; negative after a pause. */
  workLeft(): bigint
  /** Goes on with a run that has paused. */
  resume(): Outcome
  /** Ends a run that has paused; the message has changed nothing. */
  abandon(): void
  /** Returns a snapshot; `revertTo` undoes everything after it: state, logs, refund and warm accounts and slots. */
  snapshot(): number
  revertTo(snapshot: number): void
  refund(): bigint
  addRefund(gas: bigint): void
  /** Returns the logs of the current transaction, in order; also after `endTx`, until the next `beginTx`. */
  logs(): Log[]
  /**
   * Ends a transaction, or any other group of changes such as rewards: removes destroyed accounts and,
   * since EIP-161, touched empty ones. Earlier changes can no longer be reverted; the refund counter is 0 afterwards.
   */
  endTx(): void
  /** Returns all differences from the host. */
  changes(): StateChanges
  /** Must be called when the host has taken over the changes: accounts and slots stay as a cache of it. */
  flushed(): void
  setTracer(tracer: Tracer | undefined): void
  /** Bytes of linear memory that were used. */
  memoryBytes(): number
}

/** Linear memory never shrinks: a larger instance is replaced at the next `reset`. */
const maxMemoryBytes = 256 << 20
const maxGas = (1n << 63n) - 1n

const emptyHost: Host = {
  account: () => undefined,
  storage: () => new Uint8Array(0),
  code: () => new Uint8Array(0),
  blockHash: () => undefined,
}

/** Creates an EVM; only the 'exact' kind calls the tracer. */
export function createEvm(kind: EvmKind, options: EvmOptions = {}): Evm {
  const choosePrecompiles = options.precompiles ?? precompilesOf
  const sharedChanges = options.sharedChanges ?? false
  const frontier = rulesOf('frontier')
  const context: EvmContext = {
    host: emptyHost,
    rules: frontier,
    ops: opTableOf(frontier),
    precompiles: new Map(),
    tracer: options,
  }
  // Set by the first `reset`: compiling takes longer than all else that a node does before its first answer.
  let wasm: EvmModule
  let memory: LinearMemory
  let loaded = false
  /** The rules that the WebAssembly instance was given. */
  let loadedRules: Rules | undefined
  let loadedBlock: BlockEnv | undefined
  /** True while a message runs, and after a host's exception in one. */
  let busy = false
  /** Whether the run that has paused creates a contract. */
  let isCreation = false
  // The message's words serve as scratch space for arguments: a message is written only when it is run.
  let addressAt = 0
  let valueAt = 0
  let slotAt = 0

  function exhausted(): never {
    if (options.isTrial) throw new EvmError({ code: 'NO_MEMORY' }, undefined, noMemory)
    return endAtOnce(noMemory)
  }

  function instantiate(): void {
    wasm = instantiateEvm(kind, createImports(context, { wasm: () => wasm, memory: () => memory, exhausted }))
    memory = createLinearMemory(wasm.memory)
    const factors = new BigInt64Array(randomBytes(40).buffer.slice(0, 40))
    wasm.setHashFactors(factors[0]! | 1n, factors[1]! | 1n, factors[2]! | 1n, factors[3]! | 1n, factors[4]! | 1n)
    wasm.resetWorld()
    addressAt = wasm.messageAt() + layout.M_TO
    valueAt = wasm.messageAt() + layout.M_VALUE
    slotAt = wasm.messageAt() + layout.M_SALT
    loadedRules = undefined
    loadedBlock = undefined
    busy = false
    loaded = true
    writeMutedOps()
    wasm.setWorkLeft(maxGas)
  }

  /** Writes which opcodes the tracer does not watch: their steps save a call out of WebAssembly. */
  function writeMutedOps(): void {
    if (kind !== 'exact' || !loaded) return
    memory.set(wasm.stepAt() + layout.T_MUTED, mutedOpsOf(context.tracer))
  }

  function accountOf(address: Address): number {
    memory.setWordBytes(addressAt, address)
    return wasm.accountOf(addressAt)
  }

  function slotOf(address: Address, slot: Hash32): number {
    const account = accountOf(address)
    memory.setWordBytes(slotAt, slot)
    return wasm.slotOf(account, slotAt)
  }

  function loadRules(rules: Rules): void {
    context.rules = rules
    context.ops = opTableOf(rules)
    context.precompiles = choosePrecompiles(rules)
    memory.set(wasm.opsAt(), encodeOps(context.ops))
    memory.set(wasm.scheduleAt(), encodeSchedule(rules, sharedChanges))
    wasm.setOpTable(rules.index + 1)
    wasm.prepareStack()
    const addresses = [...context.precompiles.keys()]
    const words = wasm.inputAt(32 * addresses.length)
    for (const [i, key] of addresses.entries()) memory.setWordBytes(words + 32 * i, bytesOfKey(key))
    wasm.setPrecompiles(words, addresses.length)
    loadedRules = rules
  }

  function outcomeOf(code: number, creates: boolean): Outcome {
    if (code === layout.PAUSED) {
      isCreation = creates
      return { status: 'paused', halt: 'stop', gasLeft: 0n, output: new Uint8Array(0) }
    }
    busy = false
    const halt = halts[code]!
    const status = code <= layout.HALT_SELFDESTRUCT ? 'success' : code === layout.HALT_REVERT ? 'revert' : 'halt'
    const output = memory.slice(wasm.returnDataAt(), wasm.returnDataLength())
    const outcome = { status, halt, gasLeft: wasm.gasLeftOver(), output } as const
    return status === 'success' && creates ? { ...outcome, created: memory.address(wasm.outermostSelf()) } : outcome
  }

  function sendInput(data: Uint8Array): void {
    memory.set(wasm.inputAt(data.length), data)
  }

  function memoryBytes(): number {
    return loaded ? memory.size() - wasm.untouchedBytes() : 0
  }

  function gasOf(gas: bigint): bigint {
    return gas > maxGas ? maxGas : gas
  }

  return {
    reset(host) {
      context.host = host
      if (!loaded || busy || memoryBytes() > maxMemoryBytes) instantiate()
      else wasm.resetWorld()
    },

    setBlock(env, rules) {
      if (rules === loadedRules && env === loadedBlock) return
      if (rules !== loadedRules) loadRules(rules)
      loadedBlock = env
      const at = wasm.environmentAt()
      memory.setWordBytes(at + layout.E_COINBASE, env.beneficiary)
      memory.setWord(at + layout.E_TIMESTAMP, env.timestamp)
      memory.setWord(at + layout.E_NUMBER, env.number)
      memory.setWord(at + layout.E_GAS_LIMIT, env.gasLimit)
      memory.setWord(at + layout.E_CHAIN_ID, env.chainId)
      memory.setWord(at + layout.E_BASE_FEE, env.baseFee)
      memory.setWord(at + layout.E_BLOB_BASE_FEE, env.blobBaseFee)
      if (since(rules, 'paris')) memory.setWordBytes(at + layout.E_RANDOMNESS, env.prevRandao)
      else memory.setWord(at + layout.E_RANDOMNESS, env.difficulty)
    },

    beginTx({ origin, gasPrice, blobHashes }) {
      wasm.beginTransaction()
      const at = wasm.environmentAt()
      memory.setWordBytes(at + layout.E_ORIGIN, origin)
      memory.setWord(at + layout.E_GAS_PRICE, gasPrice)
      const hashes = wasm.blobHashesAt(blobHashes.length)
      for (const [i, hash] of blobHashes.entries()) memory.setWordBytes(hashes + 32 * i, hash)
    },

    warmAddress: (address) => wasm.warmAccount(accountOf(address)),
    warmSlot(address, slot) {
      const account = accountOf(address)
      memory.setWordBytes(slotAt, slot)
      wasm.warmSlot(account, slotAt)
    },

    exists: (address) => (memory.u32(accountOf(address) + layout.A_FLAGS) & layout.ACCOUNT_EXISTS) !== 0,
    isEmpty: (address) => Boolean(wasm.isEmptyAccount(accountOf(address))),
    balance: (address) => memory.word(accountOf(address) + layout.A_BALANCE),
    nonce: (address) => memory.u64(accountOf(address) + layout.A_NONCE),
    codeHash: (address) => memory.hash(accountOf(address) + layout.A_CODE_HASH),
    code(address) {
      const entry = wasm.codeOf(accountOf(address))
      return memory.slice(entry + layout.C_BYTES, memory.u32(entry + layout.C_LENGTH))
    },
    storage: (address, slot) => memory.wordBytes(slotOf(address, slot) + layout.L_VALUE),

    addBalance(address, wei) {
      const account = accountOf(address)
      memory.setWord(valueAt, wei)
      wasm.addBalance(account, valueAt)
    },
    subBalance(address, wei) {
      const account = accountOf(address)
      memory.setWord(valueAt, wei)
      wasm.subtractBalance(account, valueAt)
    },
    setNonce: (address, nonce) => wasm.setNonce(accountOf(address), nonce),
    setCode(address, code) {
      const account = accountOf(address)
      sendInput(code)
      wasm.setCode(account, code.length)
    },
    setStorage(address, slot, value) {
      const account = accountOf(address)
      memory.setWordBytes(slotAt, slot)
      memory.setWordBytes(valueAt, value)
      wasm.setSlot(account, slotAt, valueAt)
    },

    call(message) {
      const at = wasm.messageAt()
      memory.setWordBytes(at + layout.M_FROM, message.from)
      memory.setWordBytes(at + layout.M_TO, message.to)
      memory.setWordBytes(at + layout.M_CODE_ADDRESS, message.codeAddress ?? message.to)
      memory.setWord(at + layout.M_VALUE, message.value)
      const keeps = message.transfersValue === false ? layout.MESSAGE_KEEPS_VALUE : 0
      memory.setU32(at + layout.M_FLAGS, keeps | (message.isStatic ? layout.MESSAGE_STATIC : 0))
      sendInput(message.data)
      busy = true
      return outcomeOf(wasm.runMessage(message.data.length, gasOf(message.gas)), false)
    },

    create(message) {
      const at = wasm.messageAt()
      const nonce = message.nonce ?? memory.u64(accountOf(message.from) + layout.A_NONCE)
      memory.setWordBytes(at + layout.M_FROM, message.from)
      memory.setWord(at + layout.M_VALUE, message.value)
      if (message.salt) memory.setWordBytes(at + layout.M_SALT, message.salt)
      if (message.address) memory.setWordBytes(at + layout.M_TO, message.address)
      memory.setU32(at + layout.M_FLAGS, message.address ? layout.MESSAGE_AT_ADDRESS : 0)
      sendInput(message.initCode)
      busy = true
      const kind = message.salt ? layout.KIND_CREATE2 : layout.KIND_CREATE
      return outcomeOf(wasm.runCreation(kind, nonce, message.initCode.length, gasOf(message.gas)), true)
    },

    setWork: (gas) => wasm.setWorkLeft(gas),
    workLeft: () => wasm.workLeft(),
    resume: () => outcomeOf(wasm.resumeRun(), isCreation),
    abandon() {
      const { tracer } = context
      context.tracer = undefined
      wasm.abandonRun()
      context.tracer = tracer
      busy = false
    },

    snapshot: () => wasm.journalLength(),
    revertTo: (snapshot) => wasm.revertTo(snapshot),
    refund: () => wasm.refundCounter(),
    addRefund: (gas) => wasm.addRefund(gas),
    logs: () => readLogs(memory, wasm.logsAt(), wasm.logsLength()),
    endTx: () => wasm.endTransaction(context.rules.clearsEmptyAccounts && !sharedChanges),
    changes: () => readChanges(wasm, memory),
    flushed: () => wasm.settle(),
    setTracer(tracer) {
      context.tracer = tracer
      writeMutedOps()
    },
    memoryBytes,
  }
}
