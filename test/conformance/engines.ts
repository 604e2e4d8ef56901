import { createEngine, type Engine } from '../../src/evm/engine.ts'
import type { SuiteOptions } from './suite.ts'

const engines = new Map<SuiteOptions['engine'], Engine>()

/** The worker's engine of a kind: made once, reset by each case. */
export function engineOf(kind: SuiteOptions['engine']): Engine {
  let engine = engines.get(kind)
  if (!engine) engines.set(kind, (engine = createEngine(kind)))
  return engine
}
