import { equalBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import type { Log } from '../../src/types/log.ts'
import type { AccountState, State } from '../oracle/state.ts'

/** What can be seen of a transaction after it. */
export interface Observation {
  readonly status: 'success' | 'revert' | 'halt' | 'invalid'
  readonly gasUsed: bigint
  readonly output: Uint8Array
  readonly logs: readonly Log[]
  readonly post: State
}

/** How the second differs from the first: one line for each thing. */
export function differences(a: Observation, b: Observation): string[] {
  const found: string[] = []
  const check = (what: string, left: unknown, right: unknown) => {
    if (left !== right) found.push(`${what}: ${left} ≠ ${right}`)
  }
  check('status', a.status, b.status)
  check('gas used', a.gasUsed, b.gasUsed)
  check('output', toHex(a.output), toHex(b.output))
  check('logs', a.logs.map(logText).join(' '), b.logs.map(logText).join(' '))
  for (const address of new Set([...a.post.keys(), ...b.post.keys()]))
    found.push(...accountDifferences(hex(address), a.post.get(address), b.post.get(address)))
  return found
}

function logText({ address, topics, data }: Log): string {
  return [address, ...topics, data].map(toHex).join(':')
}

function accountDifferences(name: string, a: AccountState | undefined, b: AccountState | undefined): string[] {
  if (a === undefined || b === undefined)
    return a === b ? [] : [`account ${name}: ${a ? 'is' : 'is not'} there ≠ ${b ? 'is' : 'is not'} there`]
  const found: string[] = []
  if (a.nonce !== b.nonce) found.push(`nonce of ${name}: ${a.nonce} ≠ ${b.nonce}`)
  if (a.balance !== b.balance) found.push(`balance of ${name}: ${a.balance} ≠ ${b.balance}`)
  if (!equalBytes(a.code, b.code)) found.push(`code of ${name}: ${toHex(a.code)} ≠ ${toHex(b.code)}`)
  for (const slot of new Set([...a.storage.keys(), ...b.storage.keys()])) {
    const [left, right] = [a.storage.get(slot) ?? 0n, b.storage.get(slot) ?? 0n]
    if (left !== right) found.push(`slot ${hex(slot)} of ${name}: ${hex(left)} ≠ ${hex(right)}`)
  }
  return found
}

function hex(n: bigint): string {
  return '0x' + n.toString(16)
}
