import type { Tracer } from '../../evm/tracer.ts'

/** The opcodes whose steps a tracer wants to see; undefined for all. */
function watchedBy({ watches, onStep, onStepEnd }: Tracer): readonly number[] | undefined {
  return onStep || onStepEnd ? watches : []
}

/** The same tracer, which sees of all steps only those that it watches, and the ends of those that fail. */
function narrowed(tracer: Tracer): Tracer {
  const watched = watchedBy(tracer)
  if (!watched) return tracer
  const ops = new Set(watched)
  return {
    ...tracer,
    onStep(step) {
      if (ops.has(step.op)) tracer.onStep?.(step)
    },
    onStepEnd(step) {
      if (ops.has(step.op) || step.error !== undefined) tracer.onStepEnd?.(step)
    },
  }
}

/** One tracer that reports to several, to each what it would see alone. */
export function joinTracers(tracers: readonly Tracer[]): Tracer {
  const watched = tracers.map(watchedBy)
  const all = tracers.map(narrowed)
  const isWatchingAll = watched.some((ops) => ops === undefined)
  return {
    ...(!isWatchingAll && { watches: [...new Set(watched.flatMap((ops) => ops ?? []))] }),
    onStep(step) {
      for (const one of all) one.onStep?.(step)
    },
    onStepEnd(step) {
      for (const one of all) one.onStepEnd?.(step)
    },
    onEnter(frame) {
      for (const one of all) one.onEnter?.(frame)
    },
    onExit(frame) {
      for (const one of all) one.onExit?.(frame)
    },
  }
}
