/** What exists before a workload begins; hex throughout, because other programs read it. */
export interface WorkloadAccount {
  readonly code?: string
  readonly balance?: string
  readonly storage?: Readonly<Record<string, string>>
  /** Slots 0, 1, 2 … up to this many hold their own number and one. */
  readonly filledSlots?: number
}

/** One transaction without its fees; without `to` it creates a contract. */
export interface WorkloadCall {
  readonly to?: string
  readonly data: string
}

/** Transactions on a small state, the same for every interpreter. */
export interface Workload {
  readonly name: string
  readonly accounts: Readonly<Record<string, WorkloadAccount>>
  readonly calls: readonly WorkloadCall[]
  /** The state lies in the database of a node, and its caches are empty of it at the start of each round. */
  readonly onDisk?: boolean
}

/** Who sends all transactions. */
export const sender = `0x${'cafe'.padStart(40, '0')}`
/** Gas of each transaction: more than any of them takes. */
export const gasOfCall = 10_000_000_000

const target = addressOf(0xc0de)

/** An address from a small number. */
export function addressOf(n: number): string {
  return `0x${n.toString(16).padStart(40, '0')}`
}

/** A number as 32 bytes in hex, without prefix. */
export function word(n: bigint | number | string): string {
  return BigInt(n).toString(16).padStart(64, '0')
}

/** A workload on one contract that is called once with each of `inputs`. */
export function onContract(
  name: string,
  code: string,
  inputs: readonly string[] = ['0x'],
  account: WorkloadAccount = {},
): Workload {
  return { name, accounts: { [target]: { ...account, code } }, calls: inputs.map((data) => ({ to: target, data })) }
}
