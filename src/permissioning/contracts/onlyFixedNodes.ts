import type { Enode } from '../../net/enode.ts'
import { equalBytes } from '../../primitives/bytes.ts'
import type { NodeRule } from '../rules.ts'

export interface SyncPhaseParts {
  /** Bootnodes and static nodes. */
  readonly fixedNodes: readonly Enode[]
  /** The node ID of this node. */
  readonly ownId: Uint8Array
  /** Whether the node has peers and none of them is ahead. */
  isInSync(): boolean
}

/**
 * Connects only with fixed nodes, without asking the rule, until the node has been in sync once: the state that it has may be
 * an old one. A node without fixed nodes asks the rule from the start.
 */
export function onlyFixedNodes(rule: NodeRule, { fixedNodes, ownId, isInSync }: SyncPhaseParts): NodeRule {
  const others = fixedNodes.filter(({ id }) => !equalBytes(id, ownId))
  let hasSynced = others.length === 0
  const isFixed = ({ id, ip, tcpPort }: Enode) =>
    others.some((fixed) => equalBytes(fixed.id, id) && fixed.ip === ip && fixed.tcpPort === tcpPort)

  return {
    allows(source, destination) {
      hasSynced ||= isInSync()
      if (hasSynced) return rule.allows(source, destination)
      // Besu allows outgoing connections alone: nodes that name each other and start together would never meet.
      return isFixed(equalBytes(source.id, ownId) ? destination : source)
    },
    onChange: rule.onChange,
  }
}
