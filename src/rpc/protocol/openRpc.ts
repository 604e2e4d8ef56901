import type { Method } from './method.ts'

/** The OpenRPC 1.2.6 description of methods. */
export function openRpcDocument(methods: readonly Method[], version: string): object {
  return {
    openrpc: '1.2.6',
    info: { title: 'Quoin JSON-RPC', version },
    methods: methods.map(({ name, doc, params, result, errors }) => ({
      name,
      summary: doc,
      paramStructure: 'by-position',
      params: params.map(({ name, schema, required }) => ({ name, required, schema })),
      result: { name: 'result', schema: result },
      ...(errors.length ? { errors: errors.map(([code, message]) => ({ code, message })) } : {}),
    })),
  }
}
