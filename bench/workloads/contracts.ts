import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { word } from './workload.ts'

type ContractName = 'Compute' | 'Ledger' | 'Market' | 'Token'

/** Code of the compiled contracts, in hex. */
export const contracts: Readonly<Record<ContractName, string>> = JSON.parse(
  readFileSync(join(packageRoot, 'bench/workloads/contracts.json'), 'utf8'),
)

/** Input of a call: a function's signature and its arguments, each one word. */
export function inputOf(signature: string, ...args: (bigint | number | string)[]): string {
  const selector = toHex(keccak256(new TextEncoder().encode(signature))).slice(0, 10)
  return selector + args.map(word).join('')
}

/** Slot of a key in the mapping at `slot`. */
export function mappingSlot(key: string, slot: bigint | number | string): string {
  return toHex(keccak256(Buffer.from(word(key) + word(slot), 'hex')))
}
