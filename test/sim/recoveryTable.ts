import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import type { BftTrade } from './bftNode.ts'
import { maxChatter, maxRecovery, type Outage, type Recovery, recover } from './recovery.ts'
import { Violation } from './world.ts'

const minute = 60_000
const lengths = [
  { name: '1 min', lasts: minute },
  { name: '17 min', lasts: 17 * minute },
  { name: '18 h', lasts: 18 * 60 * minute },
]
const ways = [
  { name: 'one', returns: 'one', restarts: false },
  { name: 'one, restarts', returns: 'one', restarts: true },
  { name: 'all', returns: 'all', restarts: false },
  { name: 'all, restarts', returns: 'all', restarts: true },
] as const

/** The worst of some runs, each with others that go. */
export interface Worst {
  readonly took: number
  readonly broken: string | undefined
}

function faultOf(outage: Outage, { took, chatter }: Recovery): string | undefined {
  const bound = maxRecovery(outage)
  if (took > bound) return `${took / 1000} s, more than ${bound / 1000} s`
  return chatter > maxChatter ? `${chatter.toFixed(1)} messages per request timeout` : undefined
}

/** Tries an outage with different validators gone, as their turns to propose differ. */
export function worstOf(outage: Outage, maxRuns: number, trade?: BftTrade): Worst {
  const runs = Math.min(outage.validators, maxRuns)
  let took = 0
  let broken: string | undefined
  for (let run = 0; run < runs && broken === undefined; run++) {
    try {
      const result = recover(outage, Math.floor((run * outage.validators) / runs), trade)
      took = Math.max(took, result.took)
      broken = faultOf(outage, result)
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      broken = error.message
    }
  }
  return { took, broken }
}

/** Cases that show the bugs of which a recovery suffers, and little else. */
const tellingCases: readonly Omit<Outage, 'kind'>[] = [
  { validators: 4, lasts: minute, returns: 'all', restarts: false },
  { validators: 4, lasts: 17 * minute, returns: 'one', restarts: true },
  // The next announcement of those who were there is seconds away.
  { validators: 4, lasts: minute + 2000, returns: 'all', restarts: false, wipes: true },
  { validators: 4, lasts: minute, returns: 'one', restarts: false, wipes: true, rounds: true },
  { validators: 10, lasts: minute, returns: 'one', restarts: false },
  { validators: 4, lasts: 17 * minute, returns: 'one', restarts: false, setBack: 10 * minute },
  { validators: 4, lasts: minute, returns: 'all', restarts: false, delay: 3000 },
]

/** How a recovery goes wrong, if it does. */
export function findSlowRecovery(kind: BftProtocol['name'], trade: BftTrade): string | undefined {
  for (const one of tellingCases) {
    const { broken } = worstOf({ kind, ...one }, 10, trade)
    if (broken !== undefined) return `${one.validators} validators, ${one.lasts / 1000} s: ${broken}`
  }
  return undefined
}

/** Outages of other kinds; `kind` says which protocol. */
function specialCases(kind: BftProtocol['name']): (Omit<Outage, 'kind'> & { readonly name: string })[] {
  const calm = { lasts: 17 * minute, returns: 'all', restarts: false } as const
  const idle = { ...calm, validators: 4, lasts: 10 * minute, emptyBlockPeriodSeconds: 1800 } as const
  return [
    { ...calm, name: '1 of 2 returns with an empty data folder', validators: 2, wipes: true },
    { ...calm, name: '2 of 4 return with empty data folders', validators: 4, wipes: true },
    { ...calm, name: 'messages take 3 s', validators: 4, delay: 3000 },
    {
      ...calm,
      name: 'clocks are set back by 10 min after the return',
      validators: 4,
      returns: 'one',
      setBack: 10 * minute,
    },
    { ...calm, name: '2 of 4 return, after many rounds', validators: 4, rounds: true },
    {
      ...calm,
      name: '1 of 7 returns with an empty data folder, after many rounds',
      validators: 7,
      returns: 'one',
      wipes: true,
      rounds: true,
    },
    ...(kind === 'qbft'
      ? [
          { ...idle, name: 'empty blocks wait half an hour, all return within it' },
          {
            ...idle,
            name: 'empty blocks wait half an hour, one returns after it',
            lasts: 40 * minute,
            returns: 'one' as const,
          },
        ]
      : []),
  ]
}

/** Prints how long networks take to make a block again; gives how many cases passed and failed. */
export async function printRecoveries(
  kinds: readonly BftProtocol['name'][],
  sizes: readonly number[],
  find: (outage: Outage, maxRuns: number) => Promise<Worst>,
): Promise<[number, number]> {
  let [passed, failed] = [0, 0]

  async function cellOf(outage: Outage): Promise<string> {
    const { took, broken } = await find(outage, outage.lasts > 2 * minute ? 2 : 10)
    if (broken === undefined) passed++
    else failed++
    return broken === undefined ? (took / 1000).toFixed(1) : `FAILED: ${broken}`
  }

  for (const kind of kinds) {
    const rows = sizes.map((validators) =>
      lengths.flatMap(({ lasts }) =>
        ways.map(({ returns, restarts }) => cellOf({ kind, validators, lasts, returns, restarts })),
      ),
    )
    const special = specialCases(kind).map(({ name, ...one }) => ({ name, cell: cellOf({ kind, ...one }) }))
    console.log(`\n${kind}: seconds to the next block once a quorum is back\n`)
    const columns = lengths.flatMap((length) => ways.map((way) => `${length.name}: ${way.name}`))
    console.log(`| n | ${columns.join(' | ')} |`)
    console.log(`|${'---|'.repeat(columns.length + 1)}`)
    for (const [i, row] of rows.entries()) console.log(`| ${sizes[i]} | ${(await Promise.all(row)).join(' | ')} |`)
    for (const { name, cell } of special) console.log(`${name}: ${await cell}`)
  }
  return [passed, failed]
}
