import type { Address } from '../primitives/bytes.ts'
import { keyOf } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { Header } from '../types/header.ts'
import type { Activation } from './activations.ts'
import type { ChainSpec } from './chainSpec.ts'
import type { Rules } from './rules.ts'

/** Seconds before a fork from which on nodes tell what is wrong with it. */
const noticePeriod = 7n * 86_400n

/** Something that a fork will do to a network, or has done. */
export interface ForkWarning {
  readonly text: string
  readonly advice: string
  /** Whether no block can be made from the fork on. */
  readonly isFatal: boolean
}

export interface ForkWarningParts {
  readonly head: Header
  /** Seconds since 1970. */
  readonly now: bigint
  /** Whether there is a contract at the head of the chain. */
  readonly hasCode: (address: Address) => boolean
}

const planAdvice = 'see quoin upgrade plan --help; change the genesis file of all nodes before that time'

export const timeText = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().replace('.000', '')

/** Addresses that blocks under these rules ask for requests and at which nothing is, nor will be placed. */
export function missingContracts(
  { requests, systemContracts, placedContracts }: Rules,
  hasCode: ForkWarningParts['hasCode'],
): Address[] {
  if (!requests || !systemContracts) return []
  const placed = new Set(placedContracts.map(({ address }) => keyOf(address)))
  return [systemContracts.withdrawalRequests, systemContracts.consolidationRequests].filter(
    (address) => !placed.has(keyOf(address)) && !hasCode(address),
  )
}

function warningOf(
  spec: ChainSpec,
  { fork, at }: Activation,
  { head, hasCode }: ForkWarningParts,
): ForkWarning | undefined {
  const rules = spec.rulesAt({ number: head.number + 1n, timestamp: at, difficulty: head.difficulty })
  const missing = missingContracts(rules, hasCode)
  if (missing.length > 0)
    return {
      text: `${fork} begins at ${timeText(at)}, and no block can be made from then on: blocks call ${missing.map(toHex).join(' and ')}, where there is no contract`,
      advice: planAdvice,
      isFatal: true,
    }
  const isAuthority = spec.consensus.kind !== 'none' && spec.consensus.kind !== 'ethash'
  if (fork === 'prague' && isAuthority && !rules.systemContracts)
    return {
      text: `prague begins at ${timeText(at)}; blocks call no system contracts from then on, as with Besu since 26.1, while Besu up to 25.12 makes no block`,
      advice: 'upgrade all nodes of Besu before that time, or see quoin upgrade plan --help',
      isFatal: false,
    }
  return undefined
}

/** The head cannot have been made under the rules of the file: it was changed too late, or back. */
function lateWarning(spec: ChainSpec, { head }: ForkWarningParts): ForkWarning | undefined {
  const rules = spec.rulesAt(head)
  if (head.number === 0n || rules.requests === (head.requestsHash !== undefined)) return undefined
  return {
    text: rules.requests
      ? `the genesis file says that ${rules.fork} began before the head of the chain, which was made without it`
      : 'the head of the chain was made under prague or a later fork, of which the genesis file says nothing',
    advice: 'use the genesis file of the other nodes, or a time that is still to come on all of them',
    isFatal: true,
  }
}

/** Returns what is wrong with forks that have begun after the head, or begin within a week. */
export function forkWarnings(spec: ChainSpec, parts: ForkWarningParts): readonly ForkWarning[] {
  const { head, now } = parts
  const late = lateWarning(spec, parts)
  const coming = spec.activations.filter(
    ({ by, at }) => by === 'time' && at > head.timestamp && at <= now + noticePeriod,
  )
  const found = coming.flatMap((activation) => warningOf(spec, activation, parts) ?? [])
  // A network that is new starts with the forks that are in its file.
  const first = head.number === 0n && found.length === 0 ? startWarning(spec, parts) : undefined
  return [late, ...found, first].filter((one) => one !== undefined)
}

function startWarning(spec: ChainSpec, { head, hasCode }: ForkWarningParts): ForkWarning | undefined {
  const rules = spec.rulesAt({ number: 1n, timestamp: head.timestamp + 1n, difficulty: head.difficulty })
  const missing = missingContracts(rules, hasCode)
  if (missing.length === 0) return undefined
  return {
    text: `no block can be made under ${rules.fork}: blocks call ${missing.map(toHex).join(' and ')}, where there is no contract`,
    advice: 'place the contracts in alloc, or leave their addresses out of config',
    isFatal: true,
  }
}
