import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/openStore.ts'
import type { Store } from '../../src/store/store.ts'

/** Runs `action` on a folder that is removed afterwards. */
export async function withTempFolder<T>(action: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-test-'))
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `action` on a new store that is closed and removed afterwards. */
export function withTempStore<T>(action: (store: Store) => T | Promise<T>): Promise<T> {
  return withTempFolder(async (folder) => {
    const store = openStore(join(folder, 'database'))
    try {
      return await action(store)
    } finally {
      await store.close()
    }
  })
}
