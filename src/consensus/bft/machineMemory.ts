import type { HashedHeader } from '../../chain/view.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import type { BftHeight } from './bftHeight.ts'
import type { RawMessage } from './futureMessages.ts'
import type { BftEffect } from './machine.ts'
import type { MessageRules } from './messageRules.ts'

/** The height in progress, and who decides on it. */
export interface Current {
  readonly parent: HashedHeader
  readonly number: bigint
  readonly validators: readonly Address[]
  /** Undefined if the validators are unknown. */
  readonly rules: MessageRules | undefined
  /** Undefined if this node is not a validator, or has finished this height. */
  readonly height: BftHeight | undefined
}

/** Bytes of peers may be anything; undefined for what cannot be read. */
export function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Puts the record in front of the first message that is sent or to be signed; effects before that need not wait for the disk. */
export function withRecord(effects: readonly BftEffect[], record: Uint8Array): readonly BftEffect[] {
  const first = effects.findIndex(({ type }) => ['send', 'sign', 'import'].includes(type))
  const at = first < 0 ? effects.length : first
  return [...effects.slice(0, at), { type: 'persist', record }, ...effects.slice(at)]
}

/** Milliseconds after the start in which messages may come that this validator signed before it: clocks differ. */
export const settling = 60_000

export const isFrom = ({ from }: RawMessage, author: Address): boolean => from !== undefined && equalBytes(from, author)
