import type { AccountOverride, SlotOverride } from '../../query/accountOverrides.ts'
import { address, data, slotKey } from '../codecs/bytes.ts'
import type { Decoder } from '../codecs/codec.ts'
import { decodeObject, optionalMember } from '../codecs/jsonObject.ts'
import { wei } from '../codecs/quantity.ts'
import { invalidParams } from '../protocol/fault.ts'

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
