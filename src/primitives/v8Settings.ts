import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/**
 * Has each thread collect its own garbage where there are few cores. V8 shares the collection of a young generation among five
 * threads: on two cores, which other threads of the node keep busy anyway, that takes more time altogether, and lasts longer.
 */
export function collectAlone(): void {
  if (availableParallelism() <= 2) setFlagsFromString('--no-parallel-scavenge')
}

/**
 * Lets V8 grow the young generation again, which `bin/quoin` keeps small while the program is loaded. Loading grows it by several
 * megabytes that an idle node would never give back.
 */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}

/**
 * Lets the heap double between collections; V8's default is several times what is alive. Under load most of what a node allocates is
 * garbage after a few blocks, and several nodes often share one machine. Less growth costs more than collecting: each collection
 * drops the compiled code of functions of which no instance is alive, and V8 compiles them again (docs/adr/0006).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/** How much bytecode a function runs before V8 optimizes it, by the CPU seconds that the process has taken. The last is V8's own setting. */
const budgets = [
  { from: 0, budget: 1_200_000 },
  { from: 6, budget: 400_000 },
  { from: 12, budget: 150_000 },
  { from: 20, budget: 66 << 10 },
]
const checkInterval = 1000

/**
 * Has V8 optimize functions later while the process is young. The first load otherwise has hundreds of them compiled within seconds,
 * many twice because too little was known about their arguments: that took as much time as the work itself, just when blocks began
 * to be full (docs/adr/0016).
 */
export function optimizeLate(): void {
  let step = -1
  function check(): void {
    const { user, system } = process.cpuUsage()
    const now = budgets.findLastIndex(({ from }) => user + system >= from * 1e6)
    if (now === step) return
    step = now
    setFlagsFromString(`--interrupt-budget=${budgets[step]!.budget}`)
    if (step === budgets.length - 1) clearInterval(timer)
  }
  const timer = setInterval(check, checkInterval).unref()
  check()
}
