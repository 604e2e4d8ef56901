import { createEvm } from '../../src/evm/createEvm.ts'
import type { Evm } from '../../src/evm/evm.ts'
import type { SuiteOptions } from './suite.ts'

const engines = new Map<SuiteOptions['engine'], Evm>()

/** The worker's engine of a kind: made once, reset by each case. */
export function engineOf(kind: SuiteOptions['engine']): Evm {
  let engine = engines.get(kind)
  if (!engine) engines.set(kind, (engine = createEvm(kind)))
  return engine
}
