import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { CsvButton, type CsvLines } from './CsvButton.tsx'
import { Waiting } from './Notes.tsx'

/** A column: its heading, and whether it holds numbers, which are aligned at their end. */
export interface Column {
  readonly title: string
  readonly numeric?: boolean
  /** Left out on narrow screens. */
  readonly minor?: boolean
}

export interface Row {
  readonly key: string | number
  readonly cells: readonly ComponentChildren[]
  readonly class?: string
}

const classOf = ({ numeric, minor }: Column) => [numeric && 'end', minor && 'minor'].filter(Boolean).join(' ')

/** A table, and a button that saves it as CSV; while rows are undefined it keeps the room of so many. */
export function Table({
  label,
  columns,
  rows,
  expected = 10,
  whole,
}: {
  label: string
  columns: readonly Column[]
  rows: readonly Row[] | undefined
  expected?: number
  /** Gathers all pages of a list for the CSV; otherwise it has the rows that are shown. */
  whole?: (() => Promise<CsvLines>) | undefined
}) {
  const table = useRef<HTMLTableElement>(null)
  const waiting = (): readonly Row[] =>
    Array.from({ length: expected }, (_, key) => ({ key, cells: columns.map(() => <Waiting key={key} />) }))
  return (
    <>
      {/* A group, and no region: the card around it is one, often of the same name. What scrolls has to be reachable by keyboard. */}
      {/* biome-ignore lint/a11y: as above. */}
      <div class="scroll" role="group" tabIndex={0} aria-label={label}>
        <table ref={table} aria-busy={rows === undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(rows ?? waiting()).map((row) => (
              <tr key={row.key} class={row.class}>
                {row.cells.map((cell, i) => (
                  <td key={columns[i]!.title} class={classOf(columns[i]!)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows && rows.length > 0 && <CsvButton name={label} table={() => table.current} whole={whole} />}
    </>
  )
}
