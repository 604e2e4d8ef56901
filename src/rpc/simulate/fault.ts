import { RpcError } from '../protocol/fault.ts'

/** Numbers that the public specification has for simulations alone. */
export const simulationCodes = {
  NONCE_TOO_LOW: -38010,
  NONCE_TOO_HIGH: -38011,
  FEE_BELOW_BASE_FEE: -38012,
  INTRINSIC_GAS: -38013,
  INSUFFICIENT_FUNDS: -38014,
  BLOCK_GAS_LIMIT: -38015,
  NUMBER_ORDER: -38020,
  TIMESTAMP_ORDER: -38021,
  INIT_CODE_SIZE: -38025,
  TOO_MANY_BLOCKS: -38026,
  NOT_ALLOWED: -32000,
  NONCE_OVERFLOW: -32603,
} as const

/** A simulation that cannot be carried out. */
export function refuse(code: keyof typeof simulationCodes, message: string): RpcError {
  return new RpcError({ code: 'TX_REFUSED', error: { code: simulationCodes[code], message } })
}
