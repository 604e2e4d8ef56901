/** Hears what a check of the database finds. */
export interface Report {
  /** Something is wrong; `table` names where. */
  fault(table: string, text: string): void
  /** Called often: how much of the current part is done. */
  progress(part: string, done: number, all: number): void
}

/** Runs one part of a check; an exception that damaged rows cause is a finding too. */
export function checkPart(report: Report, table: string, part: () => void): void {
  try {
    part()
  } catch (error) {
    report.fault(table, error instanceof Error ? error.message : String(error))
  }
}
