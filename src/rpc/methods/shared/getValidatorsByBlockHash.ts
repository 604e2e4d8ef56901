import type { BftNamespace } from '../../calls/requireVotes.ts'
import { address, hash } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { nullable } from '../../codecs/nullable.ts'
import { method, param } from '../../protocol/method.ts'

/** Declares `getValidatorsByBlockHash` in a namespace. */
export const getValidatorsByBlockHash = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getValidatorsByBlockHash`,
    doc: 'Returns the validators of a block by hash; null if the block is unknown.',
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
