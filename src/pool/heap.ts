// Functions of the module, not of each heap, for every block that is built has one: V8 keeps what it compiled of them
// (docs/adr/0006).

/** A binary heap whose items know their index, so that an item whose rank has changed can be moved. */
export interface Heap<T extends HeapItem> {
  readonly items: T[]
  /** Whether `a` comes first. */
  readonly before: (a: T, b: T) => boolean
}

export interface HeapItem {
  /** Index in the heap; -1 if the item is not in it. */
  heapIndex: number
}

/** Creates a heap in the array `items`, which it then owns. */
export function createHeap<T extends HeapItem>(items: T[], before: Heap<T>['before']): Heap<T> {
  const heap = { items, before }
  for (const [index, item] of items.entries()) item.heapIndex = index
  for (let index = (items.length >> 1) - 1; index >= 0; index--) down(heap, items[index]!, index)
  return heap
}

/** Returns the first item. */
export function firstOfHeap<T extends HeapItem>({ items }: Heap<T>): T | undefined {
  return items[0]
}

/** Takes the first item out. */
export function popHeap<T extends HeapItem>(heap: Heap<T>): T | undefined {
  const first = heap.items[0]
  if (first) removeFromHeap(heap, first)
  return first
}

/** Adds an item, or moves one whose rank has changed. */
export function putInHeap<T extends HeapItem>(heap: Heap<T>, item: T): void {
  const { items } = heap
  if (item.heapIndex < 0) items.push(item)
  const index = item.heapIndex < 0 ? items.length - 1 : item.heapIndex
  if (up(heap, item, index) === index) down(heap, item, index)
}

export function removeFromHeap<T extends HeapItem>(heap: Heap<T>, item: T): void {
  const index = item.heapIndex
  if (index < 0) return
  item.heapIndex = -1
  const last = heap.items.pop()!
  if (last !== item && up(heap, last, index) === index) down(heap, last, index)
}

function setAt<T extends HeapItem>(items: T[], item: T, index: number): void {
  items[index] = item
  item.heapIndex = index
}

function up<T extends HeapItem>({ items, before }: Heap<T>, item: T, from: number): number {
  let index = from
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!before(item, items[parent]!)) break
    setAt(items, items[parent]!, index)
    index = parent
  }
  setAt(items, item, index)
  return index
}

function down<T extends HeapItem>({ items, before }: Heap<T>, item: T, from: number): void {
  let index = from
  for (;;) {
    let child = 2 * index + 1
    if (child >= items.length) break
    if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++
    if (!before(items[child]!, item)) break
    setAt(items, items[child]!, index)
    index = child
  }
  setAt(items, item, index)
}
