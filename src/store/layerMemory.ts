/** The memory of what a transaction did to one table. Both threads see it: the one that made it, and the one that writes. */
export interface TableMemory {
  /** The entries, one at a time; one that was written over is still among them. */
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** Where those begin that hold, plus 1, at the places that their hashes name or the next free ones; 0 is free. */
  readonly index: Uint32Array<SharedArrayBuffer>
}

/** Keeps memory for the next transaction's changes to the same table, which are likely to be as many. */
export interface LayerMemory {
  /** Its index is all zeros. */
  take(table: string): TableMemory
  giveBack(table: string, memory: TableMemory): void
}

/** The most bytes of a piece that is kept. */
const maxKept = 32 << 20

export function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length))
}

export function sharedWords(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length))
}

/**
 * Memory is used again because new memory costs more than what is written to it: it is copied as it grows, and V8, which counts it,
 * collects the whole heap several times a second and forgets compiled code each time.
 */
export function createLayerMemory(): LayerMemory {
  const kept = new Map<string, TableMemory[]>()
  return {
    take(table) {
      const memory = kept.get(table)?.pop()
      memory?.index.fill(0)
      return memory ?? { bytes: sharedBytes(1 << 12), index: sharedWords(1 << 6) }
    },
    giveBack(table, memory) {
      if (memory.bytes.length > maxKept) return
      const others = kept.get(table)
      if (others) others.push(memory)
      else kept.set(table, [memory])
    },
  }
}
