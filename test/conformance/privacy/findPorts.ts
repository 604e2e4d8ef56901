import { isPortFree } from '../../../src/system/isPortFree.ts'
import { type PrivacyNetwork, portsPerNetwork, privacyNetworks } from './network.ts'

const lowest = 22_000
const range = 3000

/** The first of enough free ports; those of networks that start side by side are apart. */
export async function findPorts(network: PrivacyNetwork): Promise<number> {
  const start = lowest + privacyNetworks.indexOf(network) * range
  for (let first = start; first < start + range; first += portsPerNetwork) {
    const free = await Promise.all(Array.from({ length: portsPerNetwork }, (_, i) => isPortFree(first + i)))
    if (free.every(Boolean)) return first
  }
  throw new Error('there are not enough free ports')
}
