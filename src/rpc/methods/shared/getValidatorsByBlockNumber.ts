import { findHeader } from '../../blocks/resolveBlock.ts'
import type { BftNamespace } from '../../calls/requireVotes.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { address } from '../../codecs/bytes.ts'
import { listEncoder } from '../../codecs/list.ts'
import { nullable } from '../../codecs/nullable.ts'
import { tagErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

/** Declares `getValidatorsByBlockNumber` in a namespace. */
export const getValidatorsByBlockNumber = (namespace: BftNamespace) =>
  method({
    name: `${namespace}_getValidatorsByBlockNumber`,
    doc: 'Returns the validators of a block by number; null if there is no such block.',
    needs: ['chain', namespace],
    params: [param('block', blockNumber)],
    result: nullable(listEncoder(address)),
    errors: tagErrors,
    example: ['latest'],
    handler: (context, [block]) => {
      const { chain, [namespace]: authority } = context
      const found = findHeader(chain, block)
      return found && authority.validatorsOf(found, chain)
    },
  })
