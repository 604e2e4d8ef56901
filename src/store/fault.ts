import { Fault } from '../primitives/fault.ts'

/** Why a data directory cannot be opened or written. */
export type StoreFault =
  | { code: 'NEWER_SCHEMA'; path: string; have: number; known: number }
  | { code: 'LOCKED'; path: string; pid: number }
  | { code: 'DIFFERENT_GENESIS'; path: string; have: Uint8Array; want: Uint8Array }
  | { code: 'DISK_FULL'; path: string }
  | { code: 'NOT_A_DATA_DIRECTORY'; path: string }
export class StoreError extends Fault<StoreFault> {}
