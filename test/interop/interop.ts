import type { Checks } from './checks.ts'
import type { PeerProgram } from './peerProgram.ts'

/** What the command line says. */
export interface InteropOptions {
  /** Folder with the programs to test against. */
  readonly peersDir: string
  /** Ports from here on are free. */
  readonly basePort: number
  /** Folder with OpenZeppelin Contracts, as they are in their repository. */
  readonly openzeppelinDir: string | undefined
  /** Files of their tests; all when left out. */
  readonly openzeppelinTests: readonly string[]
  /** Parts of a test that measures; all when empty. */
  readonly only: readonly string[]
  /** Seconds for which such a test measures; its usual ones when left out. */
  readonly seconds: number | undefined
  /** Where it writes what it found. */
  readonly jsonFile: string
}

export interface InteropTerms extends InteropOptions {
  readonly checks: Checks
  /** An empty folder, which is removed afterwards. */
  readonly folder: string
}

/** A test beside real programs of others. */
export interface Interop {
  readonly name: string
  readonly doc: string
  /** Programs without which nothing can be tested. */
  readonly needs?: readonly PeerProgram[]
  /** Why it cannot be run on this machine, where that has other reasons; undefined when it can. */
  whyNot?(options: InteropOptions): Promise<string | undefined>
  run(terms: InteropTerms): Promise<void>
}
