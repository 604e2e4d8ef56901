import { nodeSettings } from '../../objects/chainMetadata.ts'
import { method } from '../../protocol/method.ts'

export const anvil_nodeInfo = method({
  name: 'anvil_nodeInfo',
  doc: 'Describes the chain: its head, its rules and how blocks are made.',
  needs: ['chain', 'dev', 'mining'],
  params: [],
  result: nodeSettings,
  handler: ({ chain, mining }) => ({ chain, gasPrice: mining.minGasPrice() }),
})
