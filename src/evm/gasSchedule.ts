import type { Rules } from '../forks/rules.ts'
import { type ForkName, forks } from '../forks/table.ts'
import * as layout from './assembly/layout.ts'

/** Gas costs that depend on operands or state, and the EVM's other rules. Built as deltas, like `Rules`. */
export interface GasSchedule {
  readonly expByte: number
  /** First access to an account in a transaction. */
  readonly coldAccount: number
  readonly coldSlot: number
  readonly warmAccess: number
  /** SSTORE that changes nothing, or a slot that was changed before. */
  readonly storeKeep: number
  readonly storeSet: number
  readonly storeReset: number
  readonly storeClearRefund: number
  /** SELFDESTRUCT to an account that does not exist. */
  readonly newAccountByDestroy: number
  readonly destroyRefund: number
  readonly createNeedsDeposit: boolean
  readonly keepA64th: boolean
  readonly emptyIsDead: boolean
  readonly netStore: boolean
  readonly storeSentry: boolean
  readonly accessSets: boolean
  readonly rejectEf: boolean
  readonly destroyOnlyNew: boolean
  readonly delegation: boolean
}

const frontier: GasSchedule = {
  expByte: 10,
  coldAccount: 0,
  coldSlot: 0,
  warmAccess: 0,
  storeKeep: 5000,
  storeSet: 20_000,
  storeReset: 5000,
  storeClearRefund: 15_000,
  newAccountByDestroy: 0,
  destroyRefund: 24_000,
  createNeedsDeposit: false,
  keepA64th: false,
  emptyIsDead: false,
  netStore: false,
  storeSentry: false,
  accessSets: false,
  rejectEf: false,
  destroyOnlyNew: false,
  delegation: false,
}

const deltas: Partial<Record<ForkName, Partial<GasSchedule>>> = {
  homestead: { createNeedsDeposit: true },
  tangerineWhistle: { keepA64th: true, newAccountByDestroy: 25_000 },
  spuriousDragon: { emptyIsDead: true, expByte: 50 },
  constantinople: { netStore: true, storeKeep: 200 },
  petersburg: { netStore: false, storeKeep: 5000 },
  istanbul: { netStore: true, storeSentry: true, storeKeep: 800 },
  berlin: {
    accessSets: true,
    coldAccount: 2600,
    coldSlot: 2100,
    warmAccess: 100,
    storeKeep: 100,
    storeReset: 2900,
  },
  london: { storeClearRefund: 4800, destroyRefund: 0, rejectEf: true },
  cancun: { destroyOnlyNew: true },
  prague: { delegation: true },
}

function buildAll(): ReadonlyMap<ForkName, GasSchedule> {
  const all = new Map<ForkName, GasSchedule>()
  let current = frontier
  for (const { name } of forks) {
    current = Object.freeze({ ...current, ...deltas[name] })
    all.set(name, current)
  }
  return all
}

const byFork = buildAll()

/** Returns the schedule of a fork. */
export function gasScheduleOf(rules: Rules): GasSchedule {
  return byFork.get(rules.fork)!
}

const ruleBits = [
  ['createNeedsDeposit', layout.RULE_CREATE_NEEDS_DEPOSIT],
  ['keepA64th', layout.RULE_KEEP_A_64TH],
  ['emptyIsDead', layout.RULE_EMPTY_IS_DEAD],
  ['netStore', layout.RULE_NET_STORE],
  ['storeSentry', layout.RULE_STORE_SENTRY],
  ['accessSets', layout.RULE_ACCESS_SETS],
  ['rejectEf', layout.RULE_REJECT_EF],
  ['destroyOnlyNew', layout.RULE_DESTROY_ONLY_NEW],
  ['delegation', layout.RULE_DELEGATION],
] as const

const unlimited = 0xffffffff

/** Encodes schedule and limits of `rules` as the WebAssembly module reads them: u32 each, at the `S_` offsets. */
export function encodeSchedule(rules: Rules, sharedChanges: boolean): Uint8Array {
  const schedule = gasScheduleOf(rules)
  const out = new Uint8Array(layout.SCHEDULE_BYTES)
  const view = new DataView(out.buffer)
  const put = (at: number, value: number) => view.setUint32(at, Math.min(value, unlimited), true)
  put(
    layout.S_RULES,
    ruleBits.reduce(
      (bits, [name, bit]) => (schedule[name] ? bits | bit : bits),
      sharedChanges ? layout.RULE_SHARED_CHANGES : 0,
    ),
  )
  put(layout.S_STACK_SIZE, rules.stackSize)
  put(layout.S_MAX_CODE_SIZE, rules.maxCodeSize)
  put(layout.S_MAX_INIT_CODE_SIZE, rules.initCodeWordGas > 0n ? 2 * rules.maxCodeSize : unlimited)
  put(layout.S_EXP_BYTE, schedule.expByte)
  put(layout.S_COLD_ACCOUNT, schedule.coldAccount)
  put(layout.S_WARM_ACCESS, schedule.warmAccess)
  put(layout.S_COLD_SLOT, schedule.coldSlot)
  put(layout.S_STORE_KEEP, schedule.storeKeep)
  put(layout.S_STORE_SET, schedule.storeSet)
  put(layout.S_STORE_RESET, schedule.storeReset)
  put(layout.S_STORE_CLEAR_REFUND, schedule.storeClearRefund)
  put(layout.S_NEW_ACCOUNT_BY_DESTROY, schedule.newAccountByDestroy)
  put(layout.S_DESTROY_REFUND, schedule.destroyRefund)
  put(layout.S_INIT_CODE_WORD, Number(rules.initCodeWordGas))
  return out
}
