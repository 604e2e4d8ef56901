import { round } from '../rate.ts'
import { formatSpread } from '../spread.ts'
import type { TextTable } from '../table.ts'
import { type ContenderName, isQuoin } from './contenders/contenders.ts'
import type { Figures } from './measureRow.ts'

/** Questions that differ, or one that is asked again and again. */
export type Asking = 'different' | 'same'

/** What a row came to. */
export interface RowResult {
  readonly id: string
  readonly name: string
  readonly asking: Asking
  /** How many different questions. */
  readonly questions: number
  readonly figures: Readonly<Partial<Record<ContenderName, Figures>>>
}

/** A server in a table. */
export interface Column {
  readonly key: ContenderName
  readonly name: string
}

/** To whom each Quoin is compared. */
const comparedTo: readonly ContenderName[] = ['anvil', 'geth']

/** Share of the CPU time of different questions below which the same question was not worked out again. */
const keptShare = 0.5

/**
 * Whether a server kept the answer to a question, or what it read for it: the same question again costs it less than half of the
 * CPU time that different ones cost.
 */
export function isKept(same: Figures | undefined, different: Figures | undefined): boolean {
  return same !== undefined && different !== undefined && same.cpu.median < keptShare * different.cpu.median
}

const none = '–'

function cells(figures: Figures | undefined, kept: boolean): string[] {
  if (!figures) return [none, none]
  const { perSecond, cpu } = figures
  const spread = formatSpread(perSecond)
  return [`${round(perSecond.median)}${kept ? ' kept' : ''}${spread && ` ${spread}`}`, round(cpu.median)]
}

/** Ratios of Quoin's rates to those of others, by pairs of columns. */
function pairsOf(columns: readonly Column[]): [quoin: Column, other: Column][] {
  const others = columns.filter(({ key }) => comparedTo.includes(key))
  return columns
    .filter(({ key }) => isQuoin(key))
    .flatMap((quoin) => others.map((other) => [quoin, other] as [Column, Column]))
}

const shortName = ({ name }: Column): string => name.replace(/ \d.*$/, '')

function ratio(a: Figures | undefined, b: Figures | undefined): string {
  return a && b ? `${round(a.perSecond.median / b.perSecond.median)}×` : none
}

/** A table of the rows that were asked in one way; `title` begins its title. */
export function rpcTable(
  title: string,
  asking: Asking,
  columns: readonly Column[],
  results: readonly RowResult[],
): TextTable {
  const pairs = pairsOf(columns)
  const different = new Map(results.filter((one) => one.asking === 'different').map((one) => [one.id, one]))
  return {
    title,
    columns: [
      'request',
      ...columns.flatMap(({ name }) => [name, 'CPU µs']),
      ...pairs.map(([quoin, other]) => `${shortName(quoin)} to ${shortName(other)}`),
    ],
    rows: results
      .filter((one) => one.asking === asking)
      .map(({ id, name, figures }) => [
        name,
        ...columns.flatMap(({ key }) =>
          cells(figures[key], asking === 'same' && isKept(figures[key], different.get(id)?.figures[key])),
        ),
        ...pairs.map(([quoin, other]) => ratio(figures[quoin.key], figures[other.key])),
      ]),
  }
}
