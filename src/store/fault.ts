import { Fault } from '../primitives/fault.ts'

/** Why a data directory cannot be opened or written. */
export type StoreFault =
  /** A newer version of the node wrote the directory. */
  | { code: 'NEWER_SCHEMA'; path: string; have: number; known: number }
  /** An older version of the node, with another format, wrote the directory. */
  | { code: 'OLDER_SCHEMA'; path: string; have: number; known: number }
  /** Another process has the directory open. */
  | { code: 'LOCKED'; path: string; pid: number }
  /** A write was refused because the disk, or the quota, is full, or because less is free than it needs at most. */
  | { code: 'DISK_FULL'; path: string; need?: number }
  /** A write failed with an I/O error although there is room. */
  | { code: 'DISK_FAILED'; path: string }
  /** The directory has files, but no database of this node. */
  | { code: 'NOT_A_DATA_DIRECTORY'; path: string }
  /** The database file is shorter than its last commit needs. */
  | { code: 'TRUNCATED'; path: string; have: number; want: number }
  /** Pages of the database file are not what LMDB wrote. */
  | { code: 'DAMAGED'; path: string; reason: string }
  /** The database file is empty, but had transactions. */
  | { code: 'EMPTIED'; path: string }
  /** The thread that writes behind has ended. */
  | { code: 'WRITER_ENDED'; path: string; reason: string }

/** Its message is one line for the operator. */
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
      return `${at.path} is in use by process ${at.pid}: stop that process first, or use another data path. A copy of a running node's directory has the same mark and may be incomplete: copy it again while the node is stopped`
    case 'DISK_FULL':
      return `no space left on the disk of ${at.path}${at.need ? ` (a write needs ${Math.ceil(at.need / 2 ** 20)} MB)` : ''}: nothing was lost; free some space and start again`
    case 'DISK_FAILED':
      return `the disk of ${at.path} refused a write: nothing was lost; see the system's log, then start again`
    case 'WRITER_ENDED':
      return `the thread that writes to ${at.path} has failed (${at.reason}): what it had written is on disk; start again, with more memory if there was too little`
    case 'NOT_A_DATA_DIRECTORY':
      return `${at.path} is not empty and holds no database of this program: use another data path`
    case 'TRUNCATED':
      return `${at.path} is damaged: data.mdb has ${at.have} bytes and should have ${at.want}; restore a copy of it, or use another data path and let the node sync`
    case 'DAMAGED':
      return `${at.path} is damaged: ${at.reason}. Restore a backup with quoin restore, or rebuild it from its blocks with quoin verify --repair`
    case 'EMPTIED':
      return `${at.path} is damaged: data.mdb has lost its content; restore a copy of it, or remove this folder and let the node sync`
  }
}
