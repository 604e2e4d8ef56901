import { BlockError } from '../execution/fault.ts'
import { equalBytes, type Hash32 } from '../primitives/bytes.ts'
import type { ConsensusEngine } from './engine.ts'
import { ChainError } from './fault.ts'
import type { ChainView } from './view.ts'

/** The hash that the block of a number must have. */
export interface RequiredBlock {
  readonly number: bigint
  readonly hash: Hash32
}

/** An engine for which a block of a required number with another hash is invalid, no matter who signed it. */
export function requireBlocks<E extends ConsensusEngine>(engine: E, required: readonly RequiredBlock[]): E {
  if (required.length === 0) return engine
  const hashes = new Map(required.map(({ number, hash }) => [number, hash]))
  const checked =
    (validate: E['validateHeader']): E['validateHeader'] =>
    (header, parent, chain) => {
      const want = hashes.get(header.number)
      const have = want && engine.hash(header)
      if (want && have && !equalBytes(have, want)) throw new BlockError({ code: 'NOT_THE_REQUIRED_BLOCK', have, want })
      return validate(header, parent, chain)
    }
  return {
    ...engine,
    validateHeader: checked(engine.validateHeader),
    ...(engine.validateUnsealed && { validateUnsealed: checked(engine.validateUnsealed) }),
  }
}

/** Throws if the stored chain has another block where one is required. */
export function checkRequiredBlocks(view: ChainView, required: readonly RequiredBlock[]): void {
  for (const { number, hash: want } of required) {
    const have = view.hashAt(number)
    if (have && !equalBytes(have, want)) throw new ChainError({ code: 'NOT_THE_REQUIRED_BLOCK', number, have, want })
  }
}
