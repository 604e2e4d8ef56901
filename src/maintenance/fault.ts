import { Fault } from '../primitives/fault.ts'

/** Why a backup cannot be made or restored. */
export type BackupFault =
  /** What is named holds no backup. */
  | { code: 'NOT_A_BACKUP'; path: string; reason: string }
  /** The backup is not what was written. */
  | { code: 'BACKUP_DAMAGED'; path: string; reason: string }
  /** The backup is of another network than the genesis file describes. */
  | { code: 'BACKUP_OF_OTHER_NETWORK'; path: string; have: string; want: string }
  /** There is something already where files are to be written. */
  | { code: 'TARGET_EXISTS'; path: string; advice: string }

/** Its message is one line for the operator. */
export class BackupError extends Fault<BackupFault> {
  constructor(at: BackupFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: BackupFault): string {
  switch (at.code) {
    case 'NOT_A_BACKUP':
      return `${at.path} is not a backup: ${at.reason}`
    case 'BACKUP_DAMAGED':
      return `${at.path} is damaged: ${at.reason}. Nothing was restored; use another backup`
    case 'BACKUP_OF_OTHER_NETWORK':
      return `${at.path} is the backup of another network: its genesis block is ${at.have}, the genesis file gives ${at.want}`
    case 'TARGET_EXISTS':
      return `${at.path} exists already: ${at.advice}`
  }
}
