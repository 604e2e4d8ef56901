import type { Checks } from './checks.ts'
import type { PeerProgram } from './peerProgram.ts'

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
  /** Programs without which nothing can be tested. */
  readonly needs?: readonly PeerProgram[]
  /** Why it cannot be run on this machine, where that has other reasons; undefined when it can. */
  whyNot?(): Promise<string | undefined>
  run(terms: InteropTerms): Promise<void>
}
