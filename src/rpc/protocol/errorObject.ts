import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import { Fault } from '../../primitives/fault.ts'
import { type FaultTable, rpcErrorObject } from './codes.ts'
import { RpcError } from './fault.ts'

/** Called with errors that no client caused. */
export type OnInternalError = (error: unknown, method: string) => void

/** What a client sees of the error of a method. */
export function errorObjectOf(
  error: unknown,
  method: string,
  { faults, onInternalError }: { readonly faults: FaultTable; readonly onInternalError: OnInternalError },
): ErrorObject {
  if (error instanceof RpcError) return rpcErrorObject(error)
  const known = error instanceof Fault ? faults(error) : undefined
  if (known) return known
  onInternalError(error, method)
  return rpcErrorObject(new RpcError({ code: 'INTERNAL_ERROR' }))
}
