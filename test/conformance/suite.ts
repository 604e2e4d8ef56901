import type { Data } from './data.ts'

/** One check with a verdict of its own: it passes when `run` returns. */
export interface Case {
  readonly name: string
  run(): void | Promise<void>
}

export interface SuiteOptions {
  /** Build of the EVM to run on. */
  readonly engine: 'fast' | 'exact'
  /** The manager of private transactions: inside the nodes, or a real Tessera for each. */
  readonly manager?: 'embedded' | 'tessera' | undefined
  /** A part of the names of the cases that are wanted; all when left out. */
  readonly filter?: string | undefined
}

/** A kind of test data and how to judge it. */
export interface Suite {
  readonly name: string
  readonly doc: string
  /** Takes so long that `all` leaves it out. */
  readonly rare?: true
  cases(data: Data, options: SuiteOptions): AsyncIterable<Case> | Iterable<Case>
}
