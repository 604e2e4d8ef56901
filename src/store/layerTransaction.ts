import { createLayer, type Layer } from './layer.ts'
import { createLayeredReader, type Layers } from './layeredReader.ts'
import { createLayerMemory } from './layerMemory.ts'
import type { Reader, Transaction } from './table.ts'

/** A transaction whose changes go into a layer over what it reads. */
export function createLayerTransaction(now: () => Layers & { readonly layer: Layer }): Transaction {
  return {
    ...createLayeredReader(now),
    put: (table, key, value) => now().layer.put(table, table.key.encode(key), table.value.encode(value), false),
    append: (table, key, value) => now().layer.put(table, table.key.encode(key), table.value.encode(value), true),
    remove: (table, key) => now().layer.remove(table, table.key.encode(key)),
  }
}

/** What would be read after some changes, which nobody else sees. */
export function createOverlay(disk: Reader): Transaction {
  const layer = createLayer(createLayerMemory())
  const layers = { layers: [layer], layer, disk }
  return createLayerTransaction(() => layers)
}
