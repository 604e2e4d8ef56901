import { Fault } from '../primitives/fault.ts'

/** Why a data directory cannot be opened or written. */
export type StoreFault =
  | { code: 'NEWER_SCHEMA'; path: string; have: number; known: number }
  | { code: 'OLDER_SCHEMA'; path: string; have: number; known: number }
  | { code: 'LOCKED'; path: string; pid: number }
  | { code: 'DISK_FULL'; path: string }
  | { code: 'DISK_FAILED'; path: string }
  | { code: 'NOT_A_DATA_DIRECTORY'; path: string }

/** The message is one line for the operator. */
export class StoreError extends Fault<StoreFault> {
  constructor(at: StoreFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: StoreFault): string {
  switch (at.code) {
    case 'NEWER_SCHEMA':
      return `${at.path} was written by a newer version (schema ${at.have}; this one knows ${at.known}): upgrade, or use another data path`
    case 'OLDER_SCHEMA':
      return `${at.path} was written by an older version (schema ${at.have}; this one needs ${at.known}): export its blocks with that version, then import them into another data path`
    case 'LOCKED':
      return `${at.path} is in use by process ${at.pid}: stop that one first, or use another data path`
    case 'DISK_FULL':
      return `no room left on the disk of ${at.path}: nothing was lost; free some and start again`
    case 'DISK_FAILED':
      return `the disk of ${at.path} refused a write: nothing was lost; see the system's log, then start again`
    case 'NOT_A_DATA_DIRECTORY':
      return `${at.path} is not empty and holds no database of this program: use another data path`
  }
}
