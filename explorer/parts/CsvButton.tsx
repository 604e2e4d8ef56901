import { useState } from 'preact/hooks'
import { csvOf, exactText } from '../format/csv.ts'

/** Lines of a table, the headings first. */
export type CsvLines = readonly (readonly string[])[]

function linesOf(table: HTMLTableElement): CsvLines {
  return Array.from(table.rows, ({ cells }) => Array.from(cells, exactText))
}

function save(name: string, lines: CsvLines): void {
  // The mark at the beginning says to spreadsheets that it is UTF-8.
  const url = URL.createObjectURL(new Blob(['\ufeff', csvOf(lines)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name.toLowerCase().replace(/\W+/g, '-')}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Saves a table as CSV: as it is shown with all digits, or what `whole` gathers of all its pages. */
export function CsvButton({
  name,
  table,
  whole,
}: {
  name: string
  table: () => HTMLTableElement | null
  whole: (() => Promise<CsvLines>) | undefined
}) {
  const [problem, setProblem] = useState('')
  async function download(): Promise<void> {
    setProblem(whole ? 'Gathering …' : '')
    try {
      const shown = table()
      const lines = whole ? await whole() : shown ? linesOf(shown) : []
      save(name, lines)
      setProblem('')
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <span class="csv">
      <span class="soft" role="status">
        {problem}
      </span>
      <button type="button" class="link" onClick={download} title={`Save ${whole ? 'all of it' : 'these rows'} as CSV`}>
        CSV<span class="visually-hidden"> of {name}</span>
      </button>
    </span>
  )
}
