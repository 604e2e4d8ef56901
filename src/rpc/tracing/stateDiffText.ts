import type { AccountDiff, Difference } from '../../execution/tracing/stateDiff.ts'
import { toHex } from '../../primitives/hex.ts'

const quantity = (n: bigint) => `0x${n.toString(16)}`

function node<T>({ from, to }: Difference<T>, show: (value: T) => string): string {
  const before = from === undefined ? undefined : show(from)
  const after = to === undefined ? undefined : show(to)
  if (before === after) return '"="'
  if (before === undefined) return `{"+":"${after}"}`
  if (after === undefined) return `{"-":"${before}"}`
  return `{"*":{"from":"${before}","to":"${after}"}}`
}

/** JSON text of what a transaction changed, by address. */
export function stateDiffText(diffs: readonly AccountDiff[]): string {
  const accounts = diffs.map(({ address, balance, code, nonce, storage }) => {
    const slots = storage.map(({ slot, value }) => `"${toHex(slot)}":${node(value, toHex)}`)
    const fields = `"balance":${node(balance, quantity)},"code":${node(code, toHex)},"nonce":${node(nonce, quantity)}`
    return `"${toHex(address)}":{${fields},"storage":{${slots.join(',')}}}`
  })
  return `{${accounts.join(',')}}`
}
