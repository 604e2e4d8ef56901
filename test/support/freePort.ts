import { createRecentSet } from '../../src/primitives/recentSet.ts'
import { isPortFree } from '../../src/system/isPortFree.ts'

// Below the range from which systems take the ports of outgoing connections and of `listen(0)`: what others open between
// this answer and its use does not land on it.
const lowest = 10_000
const highest = 32_000

/** Ports that were found lately: anyone who asks for two of them must not get one twice. */
const found = createRecentSet<number>(1000)

/** A free port of the loopback device, as far as one can know. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (found.has(port) || !(await isPortFree(port))) continue
    found.add(port)
    return port
  }
}
