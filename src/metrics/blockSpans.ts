import { toHex } from '../primitives/hex.ts'
import type { Clock } from '../system/clock.ts'
import type { Span } from './otlp/otlpJson.ts'
import type { TimedChain } from './timedChain.ts'

/** Makes a span of each step of the chain: a block, or several that came together. Returns a function that ends this. */
export function blockSpans(
  chain: Pick<TimedChain, 'onHead' | 'work'>,
  clock: Clock,
  onSpan: (span: Span) => void,
): () => void {
  return chain.onHead(({ head, added, removed }) => {
    const work = chain.work()
    if (!work) return
    const { number, gasUsed } = head.header
    const ended = clock.now()
    onSpan({
      name: `block.${work.way}`,
      kind: 'internal',
      began: ended - 1000 * work.seconds,
      ended,
      attributes: {
        'block.number': Number(number),
        'block.hash': toHex(head.hash),
        'block.gas_used': Number(gasUsed),
        'block.transactions': added.at(-1)?.block.transactions.length ?? 0,
        'blocks.added': added.length,
        'blocks.removed': removed.length,
      },
    })
  })
}
