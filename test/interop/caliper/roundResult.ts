/** A row of Caliper's own report; latencies are in seconds. */
export interface RoundResult {
  readonly succeeded: number
  readonly failed: number
  readonly sendRate: number
  readonly maxLatency: number
  readonly minLatency: number
  readonly avgLatency: number
  readonly throughput: number
}

/** The row of a round in the table that Caliper prints: name, succeeded, failed, rate, latencies, throughput. */
export function readResult(output: string, label: string): RoundResult {
  const rows = output
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([name]) => name === label)
  const cells = rows.at(-1)
  if (cells?.length !== 8) throw new Error(`Caliper made no report: ${output.slice(-500)}`)
  const [succeeded, failed, sendRate, maxLatency, minLatency, avgLatency, throughput] = cells.slice(1).map(Number)
  return {
    succeeded: succeeded!,
    failed: failed!,
    sendRate: sendRate!,
    maxLatency: maxLatency!,
    minLatency: minLatency!,
    avgLatency: avgLatency!,
    throughput: throughput!,
  }
}
