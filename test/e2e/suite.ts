import type { Checks } from '../interop/checks.ts'

export interface SuiteTerms {
  readonly checks: Checks
  /** An empty folder, which is removed afterwards if nothing failed. */
  readonly folder: string
  /** What part of the suite to run, such as one page; all when empty. */
  readonly only: readonly string[]
  /** Leaves out what takes long, where a suite can. */
  readonly fast: boolean
  /** Folder with programs of others. */
  readonly peersDir: string
}

/** A test of the whole program, as its users meet it. */
export interface Suite {
  readonly name: string
  readonly doc: string
  /** Takes so long that it runs only if it is asked for. */
  readonly onlyByName?: boolean
  /** Why it cannot be run on this machine; undefined when it can. */
  whyNot?(): string | undefined
  run(terms: SuiteTerms): Promise<void>
}
