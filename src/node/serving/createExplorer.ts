import { explorerOptionsOf } from '../../config/explorerOptions.ts'
import { createLocalNode } from '../../explorer/localNode.ts'
import { type SendState, serveExplorer } from '../../explorer/serveExplorer.ts'
import { createQueryHandler } from '../../graphql/serve.ts'
import type { Listening, ListenOptions } from '../../http/listen.ts'
import { openPageFiles } from '../../http/pageFiles.ts'
import type { Send, Session } from '../../rpc/events/subscriptions.ts'
import type { HealthPort } from '../../rpc/server/health.ts'
import { sendState } from '../../rpc/server/stateAnswer.ts'
import { graphqlOptionsOf, httpOptionsOf, wsOptionsOf } from '../options/serverOptions.ts'
import { createNodeSources, type NodeSourcesParts } from './createNodeSources.ts'
import { graphqlPortsOf } from './graphqlPorts.ts'

/** Starts the explorer; returns undefined if its page has not been built. */
export async function createExplorer(
  parts: NodeSourcesParts & {
    readonly openSession: (send: Send) => Session
    readonly health: Pick<HealthPort, 'state'>
  },
  tls: ListenOptions['tls'],
): Promise<Listening | undefined> {
  const { config } = parts
  const files = openPageFiles()
  if (!files) return undefined
  const http = httpOptionsOf(config)
  const { maxMessage } = wsOptionsOf(config)
  const query = config['graphql-http-enabled']
    ? createQueryHandler(graphqlOptionsOf(config), graphqlPortsOf(parts))
    : undefined
  const node = createLocalNode({ ...http, maxMessage, name: config.identity ?? 'this node' }, parts, query)
  const { access = {}, health } = parts
  const sources = await createNodeSources(parts)
  const answerState: SendState = (response, authorization) =>
    sendState(response, health, { access, authorization, badStatus: 200 })
  try {
    const listening = await serveExplorer({ ...explorerOptionsOf(config), tls }, files, [node], answerState, sources)
    return {
      ...listening,
      async close(grace) {
        sources?.stop()
        await listening.close(grace)
      },
    }
  } catch (error) {
    sources?.stop()
    throw error
  }
}
