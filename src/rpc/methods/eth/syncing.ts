import { syncStatus } from '../../objects/syncStatus.ts'
import { method } from '../../protocol/method.ts'

export const eth_syncing = method({
  name: 'eth_syncing',
  doc: 'Returns the progress of syncing; false if the node is in sync. `snap` says how far a node is that takes over the state of a recent block: `stage` is headers or state, `header` the last block whose header is there.',
  needs: ['sync'],
  params: [],
  result: syncStatus,
  handler: ({ sync }) => sync.status(),
})
