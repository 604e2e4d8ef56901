import type { Logger } from '../../primitives/logger.ts'
import type { NodeRule } from '../rules.ts'
import type { NodesContract } from './nodesContract.ts'

export interface ContractNodeRuleParts {
  readonly ask: NodesContract
  /** Calls the listener after each new head. Returns a function that ends this. */
  onHead(listener: () => void): () => void
  readonly log: Logger
}

/** Allows what the contract allows; any block may change its answers. */
export function createContractNodeRule({ ask, onHead, log }: ContractNodeRuleParts): NodeRule {
  /** Whether the last answer was unclear, so that each change is logged once. */
  let unclear = false
  return {
    allows(source, destination) {
      const verdict = ask(source, destination)
      if (verdict === 'unclear' && !unclear)
        log.warn({}, 'node permissioning contract fails or returns an unknown answer: all connections are refused')
      unclear = verdict === 'unclear'
      return verdict === 'allowed'
    },
    onChange: (listener) => onHead(() => listener()),
  }
}
