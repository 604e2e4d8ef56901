import { address, hash } from '../codecs/bytes.ts'
import { listEncoder } from '../codecs/list.ts'
import { nullable } from '../codecs/nullable.ts'
import { method, param } from '../protocol/method.ts'
import type { BftNamespace } from './votes.ts'

/** `getValidatorsByBlockHash` of one engine. */
export const getValidatorsByBlockHash = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getValidatorsByBlockHash`,
    doc: 'Validators that were entitled to make a block; null where there is no such block.',
    needs: ['chain', namespace],
    params: [param('hash', hash)],
    result: nullable(listEncoder(address)),
    example: [`0x${'00'.repeat(32)}`],
    handler: (context, [blockHash]) => {
      const { chain, [namespace]: authority } = context
      const found = chain.headerBy(blockHash)
      return found && authority.validatorsOf(found, chain)
    },
  })
