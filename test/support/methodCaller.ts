import { methods } from '../../src/rpc/methods/all.ts'
import type { RpcPorts } from '../../src/rpc/protocol/context.ts'
import { createDispatcher } from '../../src/rpc/protocol/dispatch.ts'
import { httpTransport } from '../../src/rpc/protocol/dispatcher.ts'
import { faultTable } from '../../src/rpc/protocol/faultTable.ts'
import { knownNames } from '../../src/rpc/protocol/knownNames.ts'

/** What a method answers: one of the two. */
export interface MethodReply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Calls the methods of some groups without a server in between. */
export function createMethodCaller(namespaces: readonly string[]) {
  const dispatcher = createDispatcher({
    methods,
    knownNames,
    namespaces,
    transport: httpTransport(0),
    faults: faultTable,
    onInternalError: () => {},
  })
  return async (ports: RpcPorts, method: string, params: readonly unknown[]): Promise<MethodReply> => {
    const { body } = await dispatcher.dispatch(JSON.stringify({ id: 1, method, params }), ports)
    return JSON.parse(typeof body === 'string' ? body : [...body].join('')) as MethodReply
  }
}
