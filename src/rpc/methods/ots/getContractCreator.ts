import type { Address, Hash32 } from '../../../primitives/bytes.ts'
import { findCreation } from '../../blocks/contractCreator.ts'
import { address, hash } from '../../codecs/bytes.ts'
import { nullable } from '../../codecs/nullable.ts'
import { record } from '../../codecs/record.ts'
import { stateErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

const creation = record<{ readonly hash: Hash32; readonly creator: Address }>('creation', (member) => [
  member('hash', hash, (one) => one.hash),
  member('creator', address, ({ creator }) => creator),
])

export const ots_getContractCreator = method({
  name: 'ots_getContractCreator',
  doc: 'Returns the transaction that created a contract, and the account or contract that did; null if the account has no code, or has it from the genesis block or by delegation.',
  needs: ['chain', 'evms'],
  params: [param('address', address)],
  result: nullable(creation),
  errors: stateErrors,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler: (ports, [contract]) => findCreation(ports, contract),
})
