import type { Evm } from '../../evm/evm.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { address, data, slotKey } from '../codecs/bytes.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { wei } from '../codecs/quantity.ts'
import { invalidParams } from '../protocol/fault.ts'

/** What a trial takes to be different about an account. */
export interface AccountOverride {
  readonly address: Address
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  /** All of its storage; what is not named is zero. */
  readonly state: readonly SlotOverride[] | undefined
  /** Single slots; the others stay. */
  readonly stateDiff: readonly SlotOverride[] | undefined
  /** Where the precompiled contract of this address is to be found instead. */
  readonly movePrecompileTo: Address | undefined
}

export interface SlotOverride {
  readonly slot: Hash32
  readonly value: Uint8Array
}

const slots: Decoder<readonly SlotOverride[]> = {
  schema: { type: 'object' },
  decode: (json) =>
    Object.entries(decodeObject(json)).map(([slot, value]) => ({
      slot: slotKey.decode(slot),
      value: slotKey.decode(value),
    })),
}

function decodeOverride(key: string, json: unknown): AccountOverride {
  const object = decodeObject(json)
  const override: AccountOverride = {
    address: address.decode(key),
    balance: optionalMember(object, 'balance', wei),
    nonce: optionalMember(object, 'nonce', wei),
    code: optionalMember(object, 'code', data),
    state: optionalMember(object, 'state', slots),
    stateDiff: optionalMember(object, 'stateDiff', slots),
    movePrecompileTo: optionalMember(object, 'movePrecompileToAddress', address),
  }
  if (override.state && override.stateDiff) throw invalidParams('state and stateDiff exclude each other')
  return override
}

/** Overrides by address. */
export const stateOverrides: Decoder<readonly AccountOverride[]> = {
  schema: { title: 'state overrides', type: 'object' },
  decode: (json) => Object.entries(decodeObject(json)).map(([key, value]) => decodeOverride(key, value)),
}

/** Makes the engine's world as the overrides have it. Storage that is replaced as a whole is the host's business. */
export function applyOverrides(evm: Evm, overrides: readonly AccountOverride[]): void {
  for (const { address, balance, nonce, code, state, stateDiff } of overrides) {
    if (balance !== undefined) {
      const have = evm.balance(address)
      if (balance > have) evm.addBalance(address, balance - have)
      else evm.subBalance(address, have - balance)
    }
    if (nonce !== undefined) evm.setNonce(address, nonce)
    if (code) evm.setCode(address, code)
    for (const { slot, value } of state ?? stateDiff ?? []) evm.setStorage(address, slot, value)
  }
}
