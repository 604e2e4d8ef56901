import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Consortium } from './consortium.ts'

/** Starts the validators of one client, with their data in a folder. */
export type Start = (folder: string, basePort: number) => Promise<Consortium>

/** A network that lasts until it is ended, with its data. */
export interface RunningNetwork {
  readonly consortium: Consortium
  end(): Promise<void>
}

export async function startNetwork(start: Start, basePort: number): Promise<RunningNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-bench-qbft-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const consortium = await start(folder, basePort)
    return { consortium, end: () => consortium.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
