import { address } from '../../codecs/bytes.ts'
import { integer } from '../../codecs/integer.ts'
import { nullable } from '../../codecs/nullable.ts'
import { record } from '../../codecs/record.ts'
import type { PermissionContracts } from '../../protocol/context.ts'
import { method } from '../../protocol/method.ts'

const contractsObject = record<PermissionContracts>('permissioning contracts', (member) => [
  member('accounts', nullable(address), ({ accounts }) => accounts),
  member('nodes', nullable(address), ({ nodes }) => nodes),
  member('nodesVersion', integer, ({ nodesVersion }) => nodesVersion),
])

/** Besu has no such method. */
export const perm_getContracts = method({
  name: 'perm_getContracts',
  doc: 'Returns the addresses of the contracts that decide for this node who may send transactions and which nodes may connect; null where none does.',
  needs: ['permissions'],
  params: [],
  result: contractsObject,
  handler: ({ permissions }) => permissions.contracts,
})
