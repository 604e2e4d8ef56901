/** How the server writes a Long: as a JSON integer, or in hex. */
export type Form = 'integers' | 'hex'
export const forms: readonly Form[] = ['integers', 'hex']

/** Fields of type Long; all but the timestamp, which is hex in both forms. */
const longFields = new Set([
  ...['number', 'transactionCount', 'ommerCount', 'gasLimit', 'gasUsed', 'blobGasUsed', 'excessBlobGas', 'estimateGas'],
  ...['nonce', 'index', 'gas', 'status', 'cumulativeGasUsed', 'type', 'amount', 'validator'],
  ...['startingBlock', 'currentBlock', 'highestBlock'],
])

/** A block's nonce is 8 bytes and no Long. */
const isBytes = (text: string) => text.length === 18

/** The same answer with every Long in one form. Errors have no Longs. */
export function inForm(answer: unknown, form: Form): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || !('data' in answer)) return answer
  return { ...answer, data: convert('', answer.data, form) }
}

function convert(name: string, value: unknown, form: Form): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(name, item, form))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(key, inner, form)]))
  if (!longFields.has(name)) return value
  if (typeof value === 'number') return form === 'hex' ? `0x${value.toString(16)}` : value
  return typeof value === 'string' && form === 'integers' && !isBytes(value) ? Number(value) : value
}
