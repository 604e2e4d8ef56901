import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '../primitives/fault.ts'

/** Why a folder cannot be made; the reason is the system's error code. */
export interface FolderFault {
  readonly code: 'CANNOT_MAKE_FOLDER'
  readonly path: string
  readonly reason: string
}

/** The message is one line for the operator. */
export class FolderError extends Fault<FolderFault> {
  constructor(at: FolderFault, cause?: unknown) {
    super(at, cause, `Cannot create the folder ${at.path}: ${at.reason}`)
  }
}

/**
 * Makes a folder and the folders above it that are missing. One at a time: Node's own recursive mkdir never returns
 * where the system says that the folder above is missing although it exists, as in /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if (existsSync(path)) return
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new FolderError({ code: 'CANNOT_MAKE_FOLDER', path, reason }, error)
  }
}
