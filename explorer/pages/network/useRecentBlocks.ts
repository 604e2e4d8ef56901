import { useEffect, useRef, useState } from 'preact/hooks'
import { useHead } from '../../data/head.ts'
import type { Block } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { toQuantity } from '../../format/quantity.ts'

/** Blocks that charts show. */
export const chartBlocks = 60

/** The last blocks, oldest first; new ones join as they come. */
export function useRecentBlocks(): {
  readonly blocks: readonly Block[] | undefined
  readonly error: Error | undefined
} {
  const { ask } = useSite()
  const { number } = useHead()
  const [blocks, setBlocks] = useState<readonly Block[]>()
  const [error, setError] = useState<Error>()
  const held = useRef<readonly Block[]>([])

  useEffect(() => {
    if (number === undefined) return
    let gone = false
    async function load(head: number) {
      const last = held.current.at(-1)
      const first = Math.max(0, head - chartBlocks + 1)
      const from = last && Number(last.number) <= head ? Math.max(first, Number(last.number) + 1) : first
      const numbers = Array.from({ length: head - from + 1 }, (_, i) => from + i)
      const added = await Promise.all(
        numbers.map((one) => ask<Block | null>('eth_getBlockByNumber', [toQuantity(one), false])),
      )
      if (gone) return
      const kept = held.current.filter((block) => Number(block.number) >= first && Number(block.number) < from)
      held.current = [...kept, ...added.filter((block) => block !== null)]
      setBlocks(held.current)
      setError(undefined)
    }
    load(number).catch((reason: Error) => gone || setError(reason))
    return () => {
      gone = true
    }
  }, [ask, number])
  return { blocks, error }
}
