/** A table for people. */
export interface TextTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a bench found out, for people and (`json`) for programs. */
export interface BenchTable extends TextTable {
  /** Tables that belong below the first. */
  readonly more?: readonly TextTable[]
  readonly json: object
}

/** Options of a bench, and what their values are, as the usage shows it; empty for one that has none. */
export type BenchTakes = Readonly<Record<string, string>>

/** Options of every bench. */
export const takenByAll = { json: 'FILE', 'peers-dir': 'DIR' } as const

/** What follows a bench's name on the command line: `--name value`. */
export interface BenchOptions<T extends BenchTakes = BenchTakes> {
  number(name: keyof T & string, otherwise: number): number
  text(name: (keyof T & string) | keyof typeof takenByAll, otherwise: string): string
}

export interface Bench {
  readonly name: string
  readonly doc: string
  readonly takes?: BenchTakes
  run(options: BenchOptions): Promise<BenchTable>
}

/** The table as text: the first column to the left, the others to the right. */
export function formatTable({ title, columns, rows }: TextTable): string {
  const lines = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const format = (line: readonly string[]) =>
    widths.map((width, i) => (i === 0 ? (line[i] ?? '').padEnd(width) : (line[i] ?? '').padStart(width))).join('  ')
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [title, '', format(columns), rule, ...rows.map(format), ''].join('\n')
}
