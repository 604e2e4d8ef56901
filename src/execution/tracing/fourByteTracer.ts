import type { Tracer } from '../../evm/tracer.ts'
import { keyOf } from '../../primitives/bytes.ts'

/** How often a function was called with that many bytes of arguments. */
interface SelectorCount {
  readonly selector: Uint8Array
  readonly argumentBytes: number
  count: number
}

/** Counts the functions that a transaction calls, by the first four bytes of the input. */
export function createFourByteTracer(): { readonly tracer: Tracer; counts(): readonly SelectorCount[] } {
  const found = new Map<string, SelectorCount>()
  const tracer: Tracer = {
    onEnter({ kind, runs, input, depth }) {
      // Of the transaction itself geth counts init code too.
      const counts = depth === 1 || (kind !== 'CREATE' && kind !== 'CREATE2' && kind !== 'SELFDESTRUCT')
      if (!counts || runs === 'precompile' || input.length < 4) return
      const selector = input.slice(0, 4)
      const argumentBytes = input.length - 4
      const key = `${keyOf(selector)}${argumentBytes}`
      const known = found.get(key)
      if (known) known.count++
      else found.set(key, { selector, argumentBytes, count: 1 })
    },
  }
  return { tracer, counts: () => [...found.values()] }
}
