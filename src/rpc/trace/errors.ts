import type { ErrorDoc } from '../method.ts'

/** Of methods that trace calls. */
export const traceCallErrors: readonly ErrorDoc[] = [
  [-32000, 'There is no such block, or its state is not kept.'],
  [-32603, 'The call could not be a transaction: it cannot pay for itself. Or watching it took too long.'],
]
