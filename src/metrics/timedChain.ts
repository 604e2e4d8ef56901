import type { Chain } from '../chain/chain.ts'
import type { Steps } from '../primitives/steps.ts'
import type { Metrics } from './metrics.ts'

/** What a chain is doing, and for how long. */
export interface ChainWork {
  readonly way: 'import' | 'batch' | 'produce'
  readonly seconds: number
}

/** A chain whose work is measured. */
export interface TimedChain extends Chain {
  /** The call in progress: what listeners of `onHead` get comes from it. */
  work(): ChainWork | undefined
}

/** The same chain, with the time of each import measured. */
export function timedChain(chain: Chain, metrics: Metrics): TimedChain {
  const timer = metrics.timer(
    { category: 'blockchain', name: 'block_import_time', help: 'Time that it takes to check, run and write blocks.' },
    ['way'],
  )
  let current: { readonly way: ChainWork['way']; readonly began: number } | undefined
  const secondsSince = (began: number) => (performance.now() - began) / 1000

  function timed<A extends unknown[], R>(way: ChainWork['way'], action: (...args: A) => R): (...args: A) => R {
    const { observe } = timer(way)
    return (...args) => {
      const began = performance.now()
      // A listener may begin another call.
      const outer = current
      current = { way, began }
      try {
        return action(...args)
      } finally {
        current = outer
        observe(secondsSince(began))
      }
    }
  }
  /** Others have their turn between two steps: their time does not count. */
  function timedSteps<A extends unknown[], R>(way: string, action: (...args: A) => Steps<R>) {
    const { observe } = timer(way)
    return function* (...args: A): Steps<R> {
      const steps = action(...args)
      let seconds = 0
      try {
        for (;;) {
          const began = performance.now()
          try {
            const { done, value } = steps.next()
            if (done) return value
          } finally {
            seconds += secondsSince(began)
          }
          yield
        }
      } finally {
        observe(seconds)
      }
    }
  }

  return {
    ...chain,
    importBlock: timed('import', chain.importBlock),
    importBlocks: timed('batch', chain.importBlocks),
    propose: timedSteps('propose', chain.propose),
    verify: timedSteps('verify', chain.verify),
    produce: timed('produce', chain.produce),
    work: () => current && { way: current.way, seconds: secondsSince(current.began) },
  }
}
