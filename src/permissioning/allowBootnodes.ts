import type { Enode } from '../net/enode.ts'
import { equalBytes } from '../primitives/bytes.ts'
import type { NodeRule } from './rules.ts'

export interface BootnodeExceptionParts {
  readonly bootnodes: readonly Enode[]
  /** The node ID of this node. */
  readonly ownId: Uint8Array
  /** The node IDs of connected peers. */
  peers(): readonly Uint8Array[]
}

/**
 * Allows connections with bootnodes while no other peer is connected: a rule that is part of the chain, such as that of a
 * contract, cannot be followed by a node that may not fetch the chain.
 */
export function allowBootnodes(rule: NodeRule, { bootnodes, ownId, peers }: BootnodeExceptionParts): NodeRule {
  const isBootnode = (id: Uint8Array) => bootnodes.some((bootnode) => equalBytes(bootnode.id, id))
  return {
    allows(source, destination) {
      if (rule.allows(source, destination)) return true
      const other = equalBytes(source.id, ownId) ? destination : source
      return isBootnode(other.id) && peers().every(isBootnode)
    },
    onChange: rule.onChange,
  }
}
