import { BlockError, TxError, type TxFault } from '../../execution/fault.ts'
import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import { toHex } from '../../primitives/hex.ts'
import { maxU64 } from '../../primitives/u256.ts'
import { SimulationError, type SimulationFault } from '../../query/simulate/fault.ts'
import { rpcErrorObject } from '../protocol/codes.ts'
import { invalidParams, RpcError } from '../protocol/fault.ts'

const notAllowed = -32000

/** Numbers of the public specification, texts of geth; undefined where there are none for simulations alone. */
function refusedCall(at: TxFault): ErrorObject | undefined {
  switch (at.code) {
    case 'NONCE_TOO_LOW':
      return { code: -38010, message: `nonce too low: tx: ${at.have} state: ${at.want}` }
    case 'NONCE_TOO_HIGH':
      return { code: -38011, message: `nonce too high: tx: ${at.have} state: ${at.want}` }
    case 'NONCE_OVERFLOW':
      return { code: -32603, message: `nonce has max value: ${maxU64}` }
    case 'MAX_FEE_BELOW_BASE_FEE':
      return { code: -38012, message: `max fee per gas less than block base fee: ${at.have} < ${at.baseFee}` }
    case 'INTRINSIC_GAS_TOO_LOW':
      return { code: -38013, message: `intrinsic gas too low: have ${at.have}, want ${at.want}` }
    case 'INSUFFICIENT_FUNDS': {
      const message = `insufficient funds for gas * price + value: have ${at.have} want ${at.want}`
      return { code: -38014, message }
    }
    case 'INIT_CODE_TOO_LARGE':
      return { code: -38025, message: `max initcode size exceeded: code size ${at.have}` }
    default:
      return undefined
  }
}

function refusedSimulation(at: SimulationFault): ErrorObject {
  switch (at.code) {
    case 'NO_BLOCKS':
      return rpcErrorObject(invalidParams('there is no block to simulate'))
    case 'BLOCK_GAS_LIMIT':
      return { code: -38015, message: `block gas limit reached: ${at.used} + ${at.want} >= ${at.limit}` }
    case 'NUMBER_ORDER':
      return { code: -38020, message: `block numbers must be in order: ${at.have} <= ${at.last}` }
    case 'TIMESTAMP_ORDER':
      return { code: -38021, message: `block timestamps must be in order: ${at.have} <= ${at.last}` }
    case 'TOO_MANY_BLOCKS':
      return { code: -38026, message: 'too many blocks' }
    case 'NOT_A_PRECOMPILE':
      return { code: notAllowed, message: `account ${toHex(at.address)} is not a precompile` }
    case 'TAKEN_BY_PRECOMPILE':
      return { code: notAllowed, message: `account ${toHex(at.address)} has already been overridden by a precompile` }
    case 'TARGET_OVERRIDDEN':
      return { code: notAllowed, message: `account ${toHex(at.address)} is already overridden` }
    case 'STORAGE_TOO_LARGE':
      return { code: notAllowed, message: 'the storage to replace is too large' }
    case 'SLOTS_UNKNOWN':
      return {
        code: notAllowed,
        message:
          'the storage cannot be replaced: it came by snap synchronisation, by which the numbers of its slots are not known',
      }
  }
}

function refusalOf(error: unknown): ErrorObject | undefined {
  if (error instanceof SimulationError) return refusedSimulation(error.at)
  if (error instanceof BlockError) return { code: notAllowed, message: `the block is invalid: ${error.message}` }
  return error instanceof TxError ? refusedCall(error.at) : undefined
}

/** Runs a simulation; one that cannot be carried out is an error in the words of geth. */
export function explainRefusals<T>(simulate: () => T): T {
  try {
    return simulate()
  } catch (error) {
    const refusal = refusalOf(error)
    throw refusal ? new RpcError({ code: 'TX_REFUSED', error: refusal }, error) : error
  }
}
