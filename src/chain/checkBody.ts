import { BlockError } from '../execution/fault.ts'
import { validateBody, validateOmmers } from '../execution/validateBody.ts'
import type { Rules } from '../forks/rules.ts'
import type { Reader } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { ConsensusEngine } from './engine.ts'
import { findBlock, readBody, readHeader } from './records.ts'

/** Validates what can be validated of a body without running it; throws a BlockError. */
export function checkBody(
  reader: Reader,
  block: Block,
  rules: Rules,
  { validateOmmer }: Pick<ConsensusEngine, 'validateOmmer'>,
): void {
  validateBody(block, rules)
  validateOmmers(block, {
    block(hash) {
      const key = findBlock(reader, hash)
      const record = key && readHeader(reader, key)
      return record && { header: record.header, ommers: readBody(reader, key!)?.ommers ?? [] }
    },
    checkOmmer(ommer, ommerParent) {
      if (!validateOmmer) throw new BlockError({ code: 'OMMERS_NOT_ALLOWED' })
      validateOmmer(ommer, ommerParent)
    },
  })
}
