import type { Checks } from './checks.ts'

export interface InteropTerms {
  readonly checks: Checks
  /** An empty folder, which is removed afterwards. */
  readonly folder: string
  /** Folder with the programs to test against. */
  readonly peersDir: string
  /** Ports from here on are free. */
  readonly basePort: number
}

/** A test beside real programs of others. */
export interface Interop {
  readonly name: string
  readonly doc: string
  run(terms: InteropTerms): Promise<void>
}
