import type { Address } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import {
  levelOf,
  type NetworkStatus,
  type NodeState,
  type Problem,
  sortProblems,
} from '../../rpc/server/networkState.ts'
import { fillIn } from '../../system/fillIn.ts'
import { explainStall } from '../explainStall.ts'
import { stallTimesOf } from '../stallTimes.ts'
import { clockProblems } from './clockProblems.ts'
import { judgeDisk } from './diskSpace.ts'
import type { NetworkSight } from './sight.ts'
import { spanText } from './spanText.ts'
import { missingValidators, validatorProblems } from './validatorProblems.ts'

/** Blocks are slow if they take this much longer than they should, and seconds besides. */
const slowFactor = 1.5
const slowBy = 0.25

/** A problem of the network, or of this node. */
const problem = (
  code: Problem['code'],
  level: Problem['level'],
  text: string,
  advice: string,
  about?: Address,
): Problem => ({ code, level, text, advice, about: about && toHex(about) })

/** No block has come for longer than it should; undefined while none is missed. */
function stallProblem(sight: NetworkSight): Problem | undefined {
  const { expected, sinceBlock } = sight
  if (!expected || sinceBlock < stallTimesOf(expected).late) return undefined
  const { reason, sentence, fields } = explainStall(sight)
  const isOutage = sinceBlock >= stallTimesOf(expected).stall || reason === 'noQuorum'
  const text = `no block for ${spanText(sinceBlock / 1000)}: ${fillIn(sentence, fields)}`
  return problem('noBlocks', isOutage ? 'error' : 'warning', text, stallAdvice[reason] ?? '')
}

const stallAdvice: Readonly<Record<string, string>> = {
  noQuorum: 'start the validators that are missing, and check that the others reach them',
  noPeers: 'check --bootnodes or the static nodes, firewalls, and --p2p-host',
  noAgreement: 'look for "invalid proposal" in the logs of the validators; compare versions and clocks',
  notAValidator: 'look at the logs of the validators',
  syncing: 'look for "disconnecting peer" in the log, and at the peers',
  stuck: 'compare genesis file and version with those of the other nodes',
  validatorsUnknown: 'look for "cannot determine validators" in the log',
}

function syncProblem({ sync, address }: NetworkSight): Problem | undefined {
  if (!sync) return undefined
  const [current, highest] = [sync.currentBlock.toLocaleString('en'), sync.highestBlock.toLocaleString('en')]
  if (sync.stuck !== undefined)
    return problem(
      'stuck',
      'error',
      `this node cannot get past block ${current}: ${sync.stuck}`,
      stallAdvice['stuck']!,
      address,
    )
  return problem('behind', 'warning', `this node is syncing: it has block ${current} of ${highest}`, '', address)
}

function paceProblem({ expected, arrivals: { period } }: NetworkSight): Problem | undefined {
  if (!expected || period === undefined || period <= expected.period * slowFactor + slowBy) return undefined
  const text = `blocks are slow: one every ${seconds(period)}, where one every ${seconds(expected.period)} is due`
  return problem('slow', 'warning', text, 'look for validators that are named here, for load, and for slow disks')
}

/** Nodes that were refused because they are on another chain; without any other peer that is why nothing works. */
function refusedProblem({ refused, peers, address }: NetworkSight): Problem | undefined {
  const [first] = refused
  if (!first) return undefined
  const who = refused.length === 1 ? `node ${toHex(first.address)} was refused` : `${refused.length} nodes were refused`
  const isForks = /fork/.test(first.reason)
  return problem(
    isForks ? 'otherForks' : 'otherNetwork',
    peers === 0 ? 'error' : 'warning',
    `${who}: ${first.reason}`,
    `use the same genesis file${isForks ? '' : ' and --network-id'} on all nodes`,
    address,
  )
}

function diskProblem({ disk, address }: NetworkSight): Problem | undefined {
  const judged = disk && judgeDisk(disk)
  return judged && judged.level !== 'ok'
    ? problem('disk', judged.level, judged.text, judged.advice, address)
    : undefined
}

const seconds = (value: number) => `${Number(value.toPrecision(2))} s`

function statusOf({ sync, expected }: NetworkSight, problems: readonly Problem[]): NetworkStatus {
  const has = (code: Problem['code']) => problems.some((one) => one.code === code)
  if (has('noBlocks')) return 'standing'
  if (sync) return 'syncing'
  if (!expected) return 'idle'
  return has('slow') ? 'slow' : 'making'
}

/** The one verdict on the state of a network, from what one node knows. */
export function judge(sight: NetworkSight): NodeState {
  const { address, head, sinceBlock, expected, arrivals, validators, needed, peers, forks } = sight
  const missing = missingValidators(sight)
  const stall = stallProblem(sight)
  const clocks = clockProblems(sight)
  const known = new Set(clocks.map(({ about }) => about))
  // A standstill names them already; a wrong clock says why.
  const absent = stall ? [] : validatorProblems(sight, missing).filter(({ about }) => !known.has(about))
  const problems = sortProblems(
    [
      stall,
      stall ? undefined : syncProblem(sight),
      ...clocks,
      ...absent,
      refusedProblem(sight),
      paceProblem(sight),
      diskProblem(sight),
      ...forks.map(({ text, advice, isFatal }) => problem('fork', isFatal ? 'error' : 'warning', text, advice)),
    ].filter((one) => one !== undefined),
  )
  const status = statusOf(sight, problems)
  return {
    status,
    level: levelOf(problems),
    summary: problems[0]?.text ?? calm(status, arrivals.period ?? expected?.period),
    address: toHex(address),
    head,
    secondsSinceBlock: Math.round(sinceBlock / 1000),
    expectedPeriod: expected?.period,
    period: arrivals.period === undefined ? undefined : Math.round(arrivals.period * 100) / 100,
    validators: validators.length > 0 ? { count: validators.length, needed, missing: missing.map(toHex) } : undefined,
    peers,
    problems,
  }
}

function calm(status: NetworkStatus, period: number | undefined): string {
  if (status === 'idle' || period === undefined) return 'a block comes with the next transaction'
  return `blocks are made, one every ${seconds(period)}`
}
