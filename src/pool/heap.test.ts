import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeap, firstOfHeap, popHeap, putInHeap, removeFromHeap } from './heap.ts'

interface Item {
  rank: number
  heapIndex: number
}

const itemOf = (rank: number): Item => ({ rank, heapIndex: -1 })
const step = fc.record({ kind: fc.constantFrom('put', 'change', 'remove', 'pop'), at: fc.nat(40), rank: fc.nat(20) })

test('the lowest rank is on top whatever is put, changed and removed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.array(step), (ranks, steps) => {
      const model = ranks.map(itemOf)
      const heap = createHeap([...model], (a, b) => a.rank < b.rank)
      for (const { kind, at, rank } of steps) {
        const item = model[at % Math.max(1, model.length)]
        if (kind === 'put') {
          const fresh = itemOf(rank)
          model.push(fresh)
          putInHeap(heap, fresh)
        } else if (kind === 'change' && item) {
          item.rank = rank
          putInHeap(heap, item)
        } else if (kind === 'remove' && item) {
          removeFromHeap(heap, item)
          model.splice(model.indexOf(item), 1)
        } else if (kind === 'pop' && item) {
          const top = popHeap(heap)!
          expect(top.heapIndex).toBe(-1)
          model.splice(model.indexOf(top), 1)
        }
        const lowest = model.length > 0 ? Math.min(...model.map((i) => i.rank)) : undefined
        expect(firstOfHeap(heap)?.rank).toBe(lowest)
      }
      const rest: number[] = []
      for (let top = popHeap(heap); top; top = popHeap(heap)) rest.push(top.rank)
      expect(rest).toEqual(model.map((i) => i.rank).sort((a, b) => a - b))
    }),
  )
})

test('removing what is not in the heap changes nothing', () => {
  const heap = createHeap([itemOf(1)], (a, b) => a.rank < b.rank)
  removeFromHeap(heap, itemOf(0))
  expect(popHeap(heap)?.rank).toBe(1)
  expect(popHeap(heap)).toBeUndefined()
})
