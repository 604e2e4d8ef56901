import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { medianOf } from '../spread.ts'
import { createOwnCpu } from './ownCpu.ts'

/** The machine that a bench ran on. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly system: string
  readonly node: string
}

export function describeMachine(): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model ?? process.arch,
    cores: all.length,
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}

/** How fast the machine is at a moment: the fixed kernel, in milliseconds, and what waits for a core. */
interface Moment {
  /** Mean number of runnable tasks in the last minute. */
  readonly load: number
  readonly kernelWall: number
  readonly kernelCpu: number
}

/** What else the machine did during a bench, and how fast it was before and after. */
export interface MachineUse {
  readonly before: Moment
  readonly after: Moment
  readonly seconds: number
  /** Share of the CPU time of all cores that went to other programs or to other guests of the host; undefined where the system does not tell. */
  readonly othersShare?: number
}

const words = new Uint32Array(1 << 16)

/** Always the same work: integer arithmetic and access to 256 KB. It has nothing of Quoin in it, so figures of all versions compare. */
function runKernel(): number {
  let x = 0x9e3779b9
  let sum = 0
  for (let i = 0; i < 10_000_000; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    const at = x & 0xffff
    sum = (sum + words[at]!) | 0
    words[at] = sum ^ x
  }
  return sum
}

const kernelRuns = 5

function measureMoment(): Moment {
  const load = loadavg()[0]!
  const [walls, cpuTimes]: [number[], number[]] = [[], []]
  // The first run is compiled on its way.
  for (let i = 0; i <= kernelRuns; i++) {
    const cpuBefore = process.cpuUsage()
    const start = performance.now()
    runKernel()
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(cpuBefore)
    if (i === 0) continue
    walls.push(wall)
    cpuTimes.push((user + system) / 1000)
  }
  return { load, kernelWall: medianOf(walls), kernelCpu: medianOf(cpuTimes) }
}

/** Watches the machine from now on. */
export function watchMachine(): { stop(): MachineUse } {
  const before = measureMoment()
  const own = createOwnCpu()
  const start = performance.now()
  const [ticksBefore, ownBefore] = [readTicks(), own.seconds()]
  return {
    stop() {
      const seconds = (performance.now() - start) / 1000
      const ticks = readTicks()
      const ours = (own.seconds() - ownBefore) * ticksPerSecond
      own.stop()
      const after = measureMoment()
      if (!ticks || !ticksBefore) return { before, after, seconds }
      const busy = ticks.busy - ticksBefore.busy
      const othersShare = Math.max(0, busy - ours) / Math.max(1, ticks.all - ticksBefore.all)
      return { before, after, seconds, othersShare }
    },
  }
}

const ticksPerSecond = 100

/** CPU time of all cores since the machine has started, in ticks; other guests of the host count as busy. */
function readTicks(): { all: number; busy: number } | undefined {
  try {
    // The last two of the ten are part of the first two.
    const times = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.trim().split(/\s+/).slice(1, 9).map(Number)
    const all = times.reduce((sum, time) => sum + time, 0)
    return { all, busy: all - times[3]! - times[4]! }
  } catch {
    return undefined
  }
}

/** Above it, figures that count wall time say more about the machine than about the programs. */
const maxOthersShare = 0.1

export function isBusy({ othersShare = 0 }: MachineUse): boolean {
  return othersShare > maxOthersShare
}

/** The machine and what it did, in two lines. */
export function formatMachine({ cpu, cores, memoryBytes, node }: Machine, use: MachineUse): string {
  const kernel = ({ kernelWall, kernelCpu }: Moment) => `${kernelWall.toFixed(0)} ms (CPU ${kernelCpu.toFixed(0)} ms)`
  const { before, after, othersShare } = use
  const others = othersShare === undefined ? '' : `, others took ${(100 * othersShare).toFixed(0)} % of the CPU time`
  return [
    `${cores} × ${cpu}, ${(memoryBytes / 1e9).toFixed(0)} GB, Node.js ${node.slice(1)}, load ${before.load.toFixed(1)} before${others}`,
    `fixed kernel: ${kernel(before)} before, ${kernel(after)} after${isBusy(use) ? ': the machine was busy' : ''}`,
  ].join('\n')
}
