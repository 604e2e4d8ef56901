import { BlockError } from '../execution/fault.ts'
import { validateBody, validateOmmers } from '../execution/validateBody.ts'
import type { Rules } from '../forks/rules.ts'
import type { Reader } from '../store/table.ts'
import type { Block } from '../types/block.ts'
import type { ConsensusEngine } from './engine.ts'
import { findBlock, readBody, readHeader } from './records.ts'

type OmmerEngine = Pick<ConsensusEngine, 'validateOmmer'>

/** Validates what can be validated of a body without running it; throws a BlockError. */
export function checkBody(reader: Reader, block: Block, rules: Rules, consensus: OmmerEngine): void {
  validateBody(block, rules)
  checkOmmers(reader, block, consensus)
}

/** Validates the ommers of a block against the chain that it stands on; throws a BlockError. */
export function checkOmmers(reader: Reader, block: Block, { validateOmmer }: OmmerEngine): void {
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
