import { syncStatus } from '../../objects/syncStatus.ts'
import { method } from '../../protocol/method.ts'

export const eth_syncing = method({
  name: 'eth_syncing',
  doc: 'Returns the progress of syncing; false if the node is in sync.',
  needs: ['sync'],
  params: [],
  result: syncStatus,
  handler: ({ sync }) => sync.status(),
})
