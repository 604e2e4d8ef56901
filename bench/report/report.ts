import { spawnSync } from 'node:child_process'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import type { BenchTable, TextTable } from '../table.ts'
import { type LeftOut, leftOut } from './leaveOut.ts'
import { describeMachine, type Machine, type MachineUse } from './machine.ts'

/** What is written about a run of a bench. */
export interface Report extends TextTable {
  readonly bench: string
  /** What follows `npm run bench --`, or the other command that it was. */
  readonly command: string
  readonly runner?: 'interop'
  readonly date: string
  readonly commit: string | undefined
  readonly machine: Machine
  readonly use: MachineUse
  readonly leftOut: readonly LeftOut[]
  /** Versions of the programs and tools to compare with, by name; those that are missing are undefined. */
  readonly versions?: Readonly<Record<string, string | undefined>>
  /** Tables that belong below the first. */
  readonly more?: readonly TextTable[]
  readonly result: object
}

export function createReport(bench: string, args: readonly string[], table: BenchTable, use: MachineUse): Report {
  return {
    bench,
    command: [bench, ...args].join(' '),
    date: new Date().toISOString(),
    commit: readCommit(),
    machine: describeMachine(),
    use,
    leftOut: leftOut(),
    title: table.title,
    columns: table.columns,
    rows: table.rows,
    ...(table.more && { more: table.more }),
    result: table.json,
  }
}

/** The commit that was measured, with a plus if files have changed since; undefined without git. */
function readCommit(): string | undefined {
  const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: packageRoot, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short', 'HEAD')
  if (status !== 0) return undefined
  const changed = git('status', '--porcelain', '--untracked-files=no').stdout.trim()
  return stdout.trim() + (changed === '' ? '' : '+')
}
