import { once } from 'node:events'
import { toBase64 } from '../../src/privacy/enclave/base64.ts'
import { createManager } from '../../src/privacyManager/createManager.ts'
import { loadOrCreateKey } from '../../src/privacyManager/keys.ts'
import { systemClock } from '../../src/system/clock.ts'
import { createSilentLogs } from '../support/silentLogs.ts'

/**
 * Sends payloads to itself, a few at a time, and prints the key of each that was acknowledged; on failure prints the
 * reason and ends.
 */
async function main(folder: string): Promise<void> {
  const key = await loadOrCreateKey(`${folder}/privacy.key`)
  const manager = await createManager(
    { path: `${folder}/store`, keys: [key], peerApi: { host: '127.0.0.1', port: 0 }, peers: [] },
    { log: createSilentLogs(), clock: systemClock },
  )
  for (let n = 0; ; n++) {
    const payloads = Array.from({ length: 4 }, (_, i) => new Uint8Array(5000).fill((4 * n + i) % 256))
    const results = await Promise.allSettled(payloads.map((payload) => manager.send(payload, key.name, { to: [] })))
    const lines = results.flatMap((result) => (result.status === 'fulfilled' ? [`${toBase64(result.value)}\n`] : []))
    const failed = results.find((result) => result.status === 'rejected')
    if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain')
    if (!failed) continue
    process.stdout.write(`failed: ${(failed as PromiseRejectedResult).reason.at?.text}\n`)
    await manager.close()
    return
  }
}

await main(process.argv[2]!)
