import { type Consortium, cpuTime, followMemory, type PeakMemory } from './consortium.ts'
import { applyLoad, type LoadResult, type Workload } from './load.ts'

export interface Measured extends LoadResult {
  readonly name: string
  readonly workload: Workload
  readonly memory: PeakMemory
  /** Milliseconds of CPU time that a mined transaction took each validator, all of its threads together. */
  readonly cpuPerTx: number
  /** The same of the one who sent and followed the transactions. */
  readonly senderCpuPerTx: number
}

/** Sends so many transactions a second to a network and follows what becomes of them and of its validators. */
export async function measureLoad(
  consortium: Consortium,
  workload: Workload,
  rate: number,
  seconds: number,
): Promise<Measured> {
  let cpu = 0
  let senderCpu = 0
  const memory = followMemory(consortium)
  const result = await applyLoad(consortium, workload, rate, seconds, async (load) => {
    const before = cpuTime(consortium)
    const senderBefore = process.cpuUsage()
    await load()
    cpu = cpuTime(consortium) - before
    const { user, system } = process.cpuUsage(senderBefore)
    senderCpu = (user + system) / 1000
  })
  return {
    name: consortium.name,
    workload,
    ...result,
    memory: memory(),
    cpuPerTx: cpu / consortium.pids.length / result.mined,
    senderCpuPerTx: senderCpu / result.mined,
  }
}
