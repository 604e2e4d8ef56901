import type { Chain } from '../../chain/chain.ts'
import type { Metrics } from '../../primitives/metrics.ts'

/** The same chain, with the time of each import measured. */
export function timedChain(chain: Chain, metrics: Metrics): Chain {
  const timer = metrics.timer(
    { category: 'blockchain', name: 'block_import_time', help: 'Time that it takes to check, run and write blocks.' },
    ['way'],
  )
  function timed<A extends unknown[], R>(way: string, action: (...args: A) => R): (...args: A) => R {
    const { observe } = timer(way)
    return (...args) => {
      const began = performance.now()
      try {
        return action(...args)
      } finally {
        observe((performance.now() - began) / 1000)
      }
    }
  }
  return {
    ...chain,
    importBlock: timed('import', chain.importBlock),
    importBlocks: timed('batch', chain.importBlocks),
    propose: timed('propose', chain.propose),
    verify: timed('verify', chain.verify),
    produce: timed('produce', chain.produce),
  }
}
