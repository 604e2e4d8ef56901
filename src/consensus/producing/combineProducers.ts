import type { Producer } from './producer.ts'

/** Combines two producers that make blocks of different heights. */
export function combineProducers(first: Producer, second: Producer): Producer {
  const both = [first, second]
  return {
    protocols: both.flatMap(({ protocols: own }) => own),
    isRunning: () => both.some((producer) => producer.isRunning()),
    start() {
      for (const producer of both) producer.start()
    },
    stop() {
      for (const producer of both) producer.stop()
    },
    receive(protocol, code, data, from) {
      for (const producer of both) producer.receive?.(protocol, code, data, from)
    },
    onLink(address) {
      for (const producer of both) producer.onLink?.(address)
    },
    onUnlink(address) {
      for (const producer of both) producer.onUnlink?.(address)
    },
    // The one that has finished stays at its last height.
    roundStatus: () => second.roundStatus?.() ?? first.roundStatus?.(),
    proposers() {
      const reports = both.flatMap((producer) => producer.proposers?.() ?? [])
      return { silent: reports.flatMap(({ silent }) => silent), flaws: reports.flatMap(({ flaws }) => flaws) }
    },
  }
}
