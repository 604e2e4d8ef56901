import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { type LimpFault, limpFaults } from './ailing.ts'
import type { BftTrade } from './bftNode.ts'
import { type Limp, type LimpResult, limp } from './limp.ts'
import { Violation } from './world.ts'

/** The worst of some runs. */
export interface WorstLimp {
  readonly share: number
  readonly gap: number
  readonly broken: string | undefined
}

/** Blocks per block that is due, at least; and of their own turns, those who live must make so many. */
const minShare = 0.85
const minOwnShares: Partial<Record<LimpFault, number>> = {
  slow: 0.9,
  'slow after a pause': 0.8,
  flapping: 0.2,
  stuttering: 0.1,
  impatient: 0.9,
}
/** Blocks before which one was passed over that is well, at most. */
const maxPassedOver = 0.03
/** What is proof enough needs no second turn: milliseconds of the longest time without a block. */
const maxFirstGaps: Partial<Record<LimpFault, number>> = {
  'invalid blocks': 2500,
  'clock +5 s': 2500,
  'clock +60 s': 2500,
}
const timeouts = [2, 4, 10]

function faultOf({ fault, requestTimeoutSeconds }: Limp, result: LimpResult): string | undefined {
  const { share, ownShare, passedOver, firstGap } = result
  if (share < minShare) return `${Math.round(100 * share)} % of the blocks`
  if (passedOver > maxPassedOver) return `${passedOver.toFixed(2)} proposers per block are passed over that are well`
  if (firstGap > (maxFirstGaps[fault] ?? Number.POSITIVE_INFINITY)) return `no block for ${firstGap / 1000} s at first`
  // Late by less than a round: it is passed over, but not always.
  const isInTime = fault === 'clock -5 s' && requestTimeoutSeconds > 5
  const minOwn = minOwnShares[fault] ?? 0
  return ownShare < minOwn || (isInTime && ownShare === 0)
    ? `those who live propose ${Math.round(100 * ownShare)} % of their blocks`
    : undefined
}

export function worstLimpOf(terms: Limp, seeds: number, trade?: BftTrade): WorstLimp {
  let [share, gap] = [Number.POSITIVE_INFINITY, 0]
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      const result = limp(terms, seed, trade)
      share = Math.min(share, result.share)
      gap = Math.max(gap, result.gap)
      const broken = faultOf(terms, result)
      if (broken !== undefined) return { share, gap, broken: `seed ${seed}: ${broken}` }
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      return { share, gap, broken: `seed ${seed}: ${error.message}` }
    }
  }
  return { share, gap, broken: undefined }
}

/** Cases that show the bugs from which a network limps. */
const tellingCases: readonly Omit<Limp, 'kind'>[] = [
  { validators: 4, requestTimeoutSeconds: 10, fault: 'dead' },
  { validators: 7, requestTimeoutSeconds: 4, fault: 'hung' },
  { validators: 4, requestTimeoutSeconds: 10, fault: 'slow after a pause' },
  { validators: 4, requestTimeoutSeconds: 4, fault: 'impatient' },
  { validators: 4, requestTimeoutSeconds: 4, fault: 'stuttering' },
  { validators: 4, requestTimeoutSeconds: 10, fault: 'clock -5 s' },
  { validators: 4, requestTimeoutSeconds: 4, fault: 'invalid blocks' },
]

/** How a network limps, if it does. */
export function findLimp(kind: BftProtocol['name'], trade: BftTrade): string | undefined {
  for (const one of tellingCases) {
    const { broken } = worstLimpOf({ kind, ...one }, 2, trade)
    if (broken !== undefined) return `${one.validators} validators, ${one.fault}: ${broken}`
  }
  return undefined
}

/** Prints how many of its blocks a network makes while some validators are not well; gives how many cases passed and failed. */
export async function printLimps(
  kinds: readonly BftProtocol['name'][],
  sizes: readonly number[],
  seeds: number,
  find: (terms: Limp, seeds: number) => Promise<WorstLimp>,
): Promise<[number, number]> {
  let [passed, failed] = [0, 0]

  async function cellOf(terms: Limp): Promise<string> {
    const { share, gap, broken } = await find(terms, seeds)
    if (broken === undefined) passed++
    else failed++
    return broken === undefined ? `${Math.round(100 * share)} % (${(gap / 1000).toFixed(1)} s)` : `FAILED: ${broken}`
  }

  for (const kind of kinds) {
    const rows = limpFaults.map((fault) => ({
      fault,
      cells: sizes.flatMap((validators) =>
        timeouts.map((requestTimeoutSeconds) => cellOf({ kind, validators, requestTimeoutSeconds, fault })),
      ),
    }))
    console.log(`\n${kind}: blocks per block that was due from the second missed turn on (longest time without one)\n`)
    const columns = sizes.flatMap((size) => timeouts.map((timeout) => `${size} validators, timeout ${timeout} s`))
    console.log(`| | ${columns.join(' | ')} |`)
    console.log(`|${'---|'.repeat(columns.length + 1)}`)
    for (const { fault, cells } of rows) console.log(`| ${fault} | ${(await Promise.all(cells)).join(' | ')} |`)
  }
  return [passed, failed]
}
