import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `action` on a new folder, which is removed afterwards, also when the process is ended by `process.exit`. */
export async function withCampaignFolder<T>(name: string, action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `quoin-${name}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', remove)
  try {
    return await action(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
