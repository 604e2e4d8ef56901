import type { Hex } from 'viem'
import { precompileOf } from '../decode/precompiles.ts'
import { isPrivateMarker } from '../decode/privateMarker.ts'
import { decodeCall } from './abiStore.ts'

/** A transaction, or a call in its trace. */
interface Called {
  readonly to?: Hex | null | undefined
  readonly input: Hex
  /** Of calls in a trace. */
  readonly type?: string
}

/** What a call does, in a word: lists, traces and internal transactions say the same. Names of functions are those of an ABI. */
export function actionOf({ to, input, type = 'CALL' }: Called, block = 'latest'): string {
  if (!to || type.startsWith('CREATE')) return 'Create contract'
  if (type === 'SELFDESTRUCT') return 'Self-destruct'
  if (isPrivateMarker({ to, input })) return 'Private marker'
  if (input === '0x') return 'Send ether'
  return precompileOf(to) ?? decodeCall(to, input, block)?.name ?? input.slice(0, 10)
}
