import type { Workload } from '../workloads/workload.ts'

/** One run of a workload from a fresh state. */
export interface Round {
  readonly gas: number
  /** CPU time of the thread that ran it. */
  readonly seconds: number
  /** What the last transaction returned, in hex. */
  readonly output: string
}

/** An interpreter that runs workloads when told to. */
export interface Runner {
  readonly name: string
  /** Has no database: leaves out workloads on disk. */
  readonly memoryOnly?: boolean
  run(workload: Workload): Promise<Round>
  close(): Promise<void>
}
