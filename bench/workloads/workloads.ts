import { frameWorkloads } from './frames.ts'
import { opcodeWorkloads } from './opcodes.ts'
import { precompileWorkloads } from './precompiles.ts'
import { solidityWorkloads } from './solidity.ts'
import { storageWorkloads } from './storage.ts'
import type { Workload } from './workload.ts'

/** All that the interpreters are compared by, in the order of the table. */
export const workloads: readonly Workload[] = [
  ...opcodeWorkloads,
  ...solidityWorkloads,
  ...frameWorkloads,
  ...precompileWorkloads,
  ...storageWorkloads,
]
