import { chainMetadata } from '../../objects/chainMetadata.ts'
import { method } from '../../protocol/method.ts'

export const hardhat_metadata = method({
  name: 'hardhat_metadata',
  doc: 'Describes the chain: client version, chain id and head.',
  needs: ['chain', 'client', 'dev'],
  params: [],
  result: chainMetadata,
  handler: ({ chain, client }) => ({ chain, version: client.version }),
})
