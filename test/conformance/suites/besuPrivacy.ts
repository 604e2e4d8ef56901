import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MissingData } from '../data.ts'
import { startEmbeddedNetwork } from '../privacy/embeddedNetwork.ts'
import { findPorts } from '../privacy/findPorts.ts'
import { type NetworkPlace, type PrivacyNetwork, privacyNetworks, type RunningNetwork } from '../privacy/network.ts'
import { type FlowResult, runFlows } from '../privacy/runFlows.ts'
import { startTesseraNetwork } from '../privacy/tesseraNetwork.ts'
import type { Suite } from '../suite.ts'

type StartNetwork = (place: NetworkPlace) => Promise<RunningNetwork>

/** Starts a network, runs its flows and ends it. */
async function runNetwork(
  source: string,
  network: PrivacyNetwork,
  start: StartNetwork,
): Promise<readonly FlowResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-privacy-'))
  try {
    const running = await start({ source, network, folder, port: await findPorts(network) })
    try {
      return await runFlows(source, running.args)
    } finally {
      await running.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Flows of private transactions that a Besu with Tessera was recorded with. */
export const besuPrivacy: Suite = {
  name: 'besu-privacy',
  doc: `flows of private transactions over networks of nodes (${privacyNetworks.join(', ')}), as recorded from Besu; takes minutes`,
  rare: true,
  async *cases(data, { manager = 'embedded', filter }) {
    const source = resolve(data.folder, 'besu-privacy')
    if (!existsSync(source)) throw new MissingData('besu-privacy')
    const tessera = resolve(data.folder, '../peers/tessera')
    if (manager === 'tessera' && !existsSync(tessera)) throw new MissingData('../peers/tessera')
    const start: StartNetwork =
      manager === 'tessera' ? (place) => startTesseraNetwork(place, tessera) : startEmbeddedNetwork
    // The name of a network selects all its flows.
    const named = privacyNetworks.filter((network) => filter?.startsWith(network))
    for (const network of data.share(named.length > 0 ? named : privacyNetworks))
      for (const { name, problem } of await runNetwork(source, network, start))
        yield {
          name: `${network}/${name}`,
          run() {
            if (problem !== undefined) throw new Error(problem)
          },
        }
  },
}
