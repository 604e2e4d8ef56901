import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Problem } from '../../rpc/server/networkState.ts'
import type { NetworkSight } from './sight.ts'

/** Seconds by which blocks may come after their timestamps, and before them. */
const maxLate = 5
const maxEarly = 2
const advice = 'synchronise the clocks of all machines (NTP)'

const problem = (about: Address, text: string): Problem => ({
  code: 'clock',
  level: 'warning',
  text,
  advice,
  about: toHex(about),
})

/** Blocks of all others come long after, or before, their timestamps: it is this node's clock that differs. */
function byArrivals({ address, arrivals: { lag }, expected }: NetworkSight): readonly Problem[] {
  if (lag === undefined) return []
  const seconds = Math.round(Math.abs(lag))
  if (lag > Math.max(maxLate, expected?.period ?? 0))
    return [
      problem(
        address,
        `the clock of this node (${toHex(address)}) is ${seconds} s ahead of the blocks that others make`,
      ),
    ]
  if (lag < -maxEarly)
    return [
      problem(address, `the clock of this node (${toHex(address)}) is ${seconds} s behind the blocks that others make`),
    ]
  return []
}

/** Proposals that are in the future: of most others, if this node's clock is behind; otherwise of those whose clocks are ahead. */
export function clockProblems(sight: NetworkSight): readonly Problem[] {
  const { address, validators, proposers } = sight
  const arrived = byArrivals(sight)
  if (arrived.length > 0) return arrived
  const ahead = proposers.flaws.flatMap(({ proposer, secondsAhead }) =>
    secondsAhead === undefined ? [] : [{ proposer, seconds: secondsAhead }],
  )
  const others = validators.filter((validator) => !equalBytes(validator, address)).length
  if (ahead.length > 1 && 2 * ahead.length > others) {
    const seconds = Math.min(...ahead.map((one) => one.seconds))
    return [
      problem(
        address,
        `the clock of this node (${toHex(address)}) is ${seconds} s behind those of the other validators`,
      ),
    ]
  }
  return ahead.map(({ proposer, seconds }) =>
    problem(
      proposer,
      others > 1
        ? `the clock of ${toHex(proposer)} is ${seconds} s ahead: its proposals are refused`
        : `the clock of ${toHex(proposer)} is ${seconds} s ahead of that of this node (${toHex(address)}): one of the two is wrong`,
    ),
  )
}
