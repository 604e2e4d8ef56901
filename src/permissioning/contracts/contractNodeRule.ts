import type { Enode } from '../../net/enode.ts'
import { keyOf } from '../../primitives/bytes.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Logger } from '../../system/logger.ts'
import type { NodeRule } from '../rules.ts'
import type { NodesContract } from './nodesContract.ts'

export interface ContractNodeRuleParts {
  readonly ask: NodesContract
  /** Calls the listener after each new head. Returns a function that ends this. */
  onHead(listener: () => void): () => void
  readonly log: Logger
}

/** Connections whose last clear answer is remembered. */
const maxRemembered = 10_000
/** Gas for all questions on one head: with a costly contract the connections take turns from block to block. */
const maxGasAtHead = 10_000_000n
/** An answer that takes more gas than this is the last one on its head. */
const costlyGas = 1_000_000n

/**
 * Allows what the contract allows; any block may change its answers. An unclear answer changes nothing: connections that were allowed
 * stay, and new ones are refused.
 */
export function createContractNodeRule({ ask, onHead, log }: ContractNodeRuleParts): NodeRule {
  /** The last clear answer about a connection. */
  const allowed = createRecentMap<string, boolean>(maxRemembered)
  /** Those that were asked about on this head. */
  const asked = new Set<string>()
  let gas = 0n
  /** For whom there was no gas left on this head, and on the one before: those come first. */
  let late = new Set<string>()
  let first = new Set<string>()
  /** Whether the last answer was unclear, so that each change is logged once. */
  let unclear = false

  function mayAsk(name: string): boolean {
    if (asked.has(name)) return false
    if (gas >= maxGasAtHead) late.add(name)
    return gas < maxGasAtHead && (first.size === 0 || first.delete(name) || allowed.get(name) === undefined)
  }

  onHead(() => {
    asked.clear()
    gas = 0n
    first = late
    late = new Set()
  })

  return {
    allows(source, destination) {
      const name = `${nameOf(source)} ${nameOf(destination)}`
      if (!mayAsk(name)) return allowed.get(name) ?? false
      const answer = ask(source, destination)
      asked.add(name)
      gas += answer.gas > costlyGas ? maxGasAtHead : answer.gas
      const isUnclear = answer.verdict === 'unclear'
      if (isUnclear && !unclear)
        log.warn(
          {},
          'node permissioning contract fails or returns an unknown answer: new connections are refused, and those that it has allowed stay',
        )
      unclear = isUnclear
      if (!isUnclear) allowed.set(name, answer.verdict === 'allowed')
      return allowed.get(name) ?? false
    },
    onChange: (listener) => onHead(() => listener()),
  }
}

const nameOf = ({ id, ip, tcpPort, udpPort }: Enode) => `${keyOf(id)} ${ip} ${tcpPort} ${udpPort}`
