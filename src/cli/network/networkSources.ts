import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHttpClient } from '../../http/client/httpClient.ts'
import { postTo } from '../../jsonrpc/postTo.ts'
import type { SendText } from '../../jsonrpc/remoteCall.ts'
import type { Sources } from '../../sources/createSources.ts'
import { systemClock } from '../../system/clock.ts'
import { createLoggers } from '../../system/logger.ts'
import { type NetworkPlan, portsOf } from './networkPlan.ts'

/** Sources of the contracts of a network, whose nodes all know the same: kept once, beside the nodes. */
export async function openNetworkSources(
  dir: string,
  plan: NetworkPlan,
  compilers: string | undefined,
): Promise<Sources> {
  const { createSources } = await import('../../sources/createSources.ts')
  const write = (line: string) => appendFileSync(join(dir, 'sources.log'), line)
  return createSources(
    { folder: join(dir, 'sources'), compilers, openAbis: true },
    {
      send: sendToAny(plan),
      access: {},
      clock: systemClock,
      log: createLoggers({ level: 'info', pretty: true, color: false, write }).child('sources'),
    },
  )
}

/** Asks the first node that answers. */
function sendToAny(plan: NetworkPlan): SendText {
  const client = createHttpClient()
  const nodes = plan.nodes.map((_, i) => postTo(client, `http://127.0.0.1:${portsOf(plan, i).http}`))
  return async (body, signal) => {
    let failure: unknown
    for (const send of nodes)
      try {
        return await send(body, signal)
      } catch (error) {
        failure = error
      }
    throw failure
  }
}
