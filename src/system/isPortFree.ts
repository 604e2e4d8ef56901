import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether nobody listens on a port of the loopback device. */
export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
