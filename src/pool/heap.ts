/** A binary heap whose items know their index, so that an item whose rank has changed can be moved. */
export interface Heap<T> {
  /** Returns the first item. */
  peek(): T | undefined
  pop(): T | undefined
  /** Adds an item, or moves one whose rank has changed. */
  put(item: T): void
  remove(item: T): void
}

export interface HeapItem {
  /** Index in the heap; -1 if the item is not in it. */
  heapIndex: number
}

/** Creates a heap in the array `items`, which it then owns; `before` returns whether `a` comes first. */
export function createHeap<T extends HeapItem>(items: T[], before: (a: T, b: T) => boolean): Heap<T> {
  function setAt(item: T, index: number): void {
    items[index] = item
    item.heapIndex = index
  }

  function up(item: T, from: number): number {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(item, items[parent]!)) break
      setAt(items[parent]!, index)
      index = parent
    }
    setAt(item, index)
    return index
  }

  function down(item: T, from: number): void {
    let index = from
    for (;;) {
      let child = 2 * index + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++
      if (!before(items[child]!, item)) break
      setAt(items[child]!, index)
      index = child
    }
    setAt(item, index)
  }

  function remove(item: T): void {
    const index = item.heapIndex
    if (index < 0) return
    item.heapIndex = -1
    const last = items.pop()!
    if (last !== item && up(last, index) === index) down(last, index)
  }

  for (const [index, item] of items.entries()) item.heapIndex = index
  for (let index = (items.length >> 1) - 1; index >= 0; index--) down(items[index]!, index)

  return {
    peek: () => items[0],
    pop() {
      const first = items[0]
      if (first) remove(first)
      return first
    },
    put(item) {
      if (item.heapIndex < 0) items.push(item)
      const index = item.heapIndex < 0 ? items.length - 1 : item.heapIndex
      if (up(item, index) === index) down(item, index)
    },
    remove,
  }
}
