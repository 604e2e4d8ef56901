import { syncStatus } from '../../objects/syncStatus.ts'
import { method } from '../../protocol/method.ts'

export const eth_syncing = method({
  name: 'eth_syncing',
  doc: 'How far the node has come in catching up with its network; false when it has.',
  needs: ['sync'],
  params: [],
  result: syncStatus,
  handler: ({ sync }) => sync.status(),
})
