import type { ContentSize } from '../../content/prepareContent.ts'
import type { Content } from '../rows.ts'
import type { ServerProcess } from '../servers.ts'

/** Where a server lives, and what it has. */
export interface Place {
  /** A folder of its own. */
  readonly folder: string
  /** Folder with the programs that are not fetched from a registry. */
  readonly peersDir: string
  readonly size: ContentSize
}

/** A server that runs, with what it can be asked for. */
export interface Subject extends ServerProcess {
  readonly wsPort: number
  readonly content: Content
}

/** Starts a server that has the content and makes a block each second. */
export type Contender = (place: Place) => Promise<Subject>
