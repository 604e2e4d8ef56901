import { createDevTools } from '../../dev/devTools.ts'
import type { RpcContext } from '../../rpc/protocol/context.ts'
import type { ConnectedNode } from '../connectParts.ts'
import { minedSoon } from './poolPort.ts'

/** The ports of methods for tests; other networks than the development network do not have them. */
export function createDevPorts({
  dev: producer,
  chain,
  edits,
  pooling,
  clock,
}: ConnectedNode): Partial<Pick<RpcContext, 'dev'>> & Pick<RpcContext, 'unsigned'> {
  if (!producer || !edits) return { unsigned: undefined }
  const dev = createDevTools({ chain, edits, pool: pooling.pool, producer, clock })
  return {
    dev,
    unsigned: {
      isImpersonated: dev.isImpersonated,
      async send(tx, sender) {
        const sent = dev.send(tx, sender)
        if ('hash' in sent) await minedSoon(producer)
        return sent
      },
    },
  }
}
