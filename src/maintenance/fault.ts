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
  /** There is no state to back up. */
  | { code: 'NO_STATE'; path: string; reason: string }
  /** A state can be checked only with the genesis file. */
  | { code: 'GENESIS_NEEDED'; path: string }
  /** The state in a backup is not that of a block which the validators have sealed. */
  | { code: 'STATE_NOT_BELIEVED'; path: string; reason: string }

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
    case 'NO_STATE':
      return `there is no state to back up in ${at.path}: ${at.reason}`
    case 'GENESIS_NEEDED':
      return `${at.path} is the backup of a state, which is checked from the genesis block on: give --genesis-file`
    case 'STATE_NOT_BELIEVED':
      return `the state in ${at.path} is not believed: ${at.reason}. Nothing was restored`
  }
}
