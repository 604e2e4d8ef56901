import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import { fromHex, hexToAddress } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import { managementCode, proxyCode } from './contractCode.ts'

/** The contract of each flexible group that members call to manage it; it hands calls on to the management contract. */
export const proxyAddress: Address = hexToAddress('0x000000000000000000000000000000000000007c')
const managementAddress: Address = hexToAddress('0x000000000000000000000000000000000000007b')

/** Selectors of the functions that the node itself calls or recognises. */
export const selectors = {
  addParticipants: fromHex('0x965a25ef'),
  removeParticipant: fromHex('0x1f52a8ee'),
  getParticipants: fromHex('0x5aa68ac0'),
  canExecute: fromHex('0x78b90337'),
  getVersion: fromHex('0x0d8e6e2c'),
} as const

function word(end: Uint8Array): Hash32 {
  const out = new Uint8Array(32)
  out.set(end, 32 - end.length)
  return out as Hash32
}

function contract(address: Address, text: string, slots: StateChanges['accounts'][number]['slots']): StateChanges {
  const code = fromHex(text)
  const hash = keccak256(code)
  const account = { nonce: 0n, balance: 0n, codeHash: hash }
  return { accounts: [{ address, account, wiped: false, slots }], codes: [{ hash, code }] }
}

const proxy = contract(proxyAddress, proxyCode, [{ slot: word(new Uint8Array(0)), value: word(managementAddress) }])
const management = contract(managementAddress, managementCode, [])

/** The private state that every flexible group begins with. */
export const flexibleGenesis: StateChanges = {
  accounts: [...proxy.accounts, ...management.accounts],
  codes: [...proxy.codes, ...management.codes],
}

interface Call {
  readonly to: Address | undefined
  readonly data: Uint8Array
}

/** Whether a transaction manages its group. */
export function isManagement({ to }: Pick<Call, 'to'>): boolean {
  return to !== undefined && equalBytes(to, proxyAddress)
}

/** Whether a transaction creates its group or adds members to it. */
export function isAddition(call: Call): boolean {
  return isManagement(call) && equalBytes(call.data.subarray(0, 4), selectors.addParticipants)
}
