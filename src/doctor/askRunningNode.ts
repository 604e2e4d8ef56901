import { Agent } from 'node:https'
import type { Config } from '../config/options.ts'
import { createHttpClient } from '../http/client/httpClient.ts'
import { askState } from '../reporting/state/askState.ts'
import { type Checked, fine, warning, wrong } from './finding.ts'

/** Asks the node that runs for its own verdict on the network: it has seen for longer what this command sees for a moment. */
export async function askRunningNode(config: Config): Promise<Checked[]> {
  const port = config['rpc-http-port']
  if (!config['rpc-http-enabled'] || port === 0) return []
  const host = config['rpc-http-host'] === '0.0.0.0' ? '127.0.0.1' : config['rpc-http-host']
  const isTls = config['rpc-http-tls-enabled']
  // The certificate names the machine as others call it; this is a process of this machine.
  const client = createHttpClient({}, new Agent({ keepAlive: true, rejectUnauthorized: false }))
  try {
    const state = await askState(client, `${isTls ? 'https' : 'http'}://${host}:${port}`)
    if (!state) return []
    if (state.problems.length === 0) return [fine(`the node says: ${state.summary}`)]
    return state.problems.map(({ level, text, advice }) =>
      (level === 'error' ? wrong : warning)(`the node says: ${text}`, advice),
    )
  } finally {
    client.close()
  }
}
