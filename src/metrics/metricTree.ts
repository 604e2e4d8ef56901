import type { MetricTree } from '../rpc/protocol/context.ts'
import type { MetricFamily, MetricValue } from './metrics.ts'

interface Branch {
  [name: string]: MetricTree
}

/** Categories that are shown even if they are empty. */
const expected = ['jvm', 'process', 'rpc', 'blockchain', 'peers'] as const

/** Metrics as `debug_metrics` shows them: by category, name and values of labels. */
export function metricTree(families: readonly MetricFamily[]): MetricTree {
  const root: Branch = {}
  for (const category of expected) root[category] = {}
  for (const { category, name, values } of families)
    for (const [labels, value] of values) place(root, [category, name, ...labels], show(value))
  return root
}

function place(root: Branch, path: readonly string[], value: MetricTree): void {
  let at = root
  for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as Branch
  at[path.at(-1)!] = value
}

function show(value: MetricValue): MetricTree {
  if (typeof value === 'number') return value
  const { bounds, counts, count, sum } = value
  if (bounds.length === 0) return { count, sum }
  const bucket: Branch = {}
  let total = 0
  // JSON members named by an integer would come first; bounds are written as Java does, with a fraction.
  for (const [i, bound] of bounds.entries()) bucket[boundText(bound)] = total += counts[i]!
  bucket['+Inf'] = count
  return { bucket, count, sum }
}

/** A bound as a decimal fraction. */
export function boundText(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
}
