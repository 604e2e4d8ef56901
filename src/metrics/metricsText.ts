import { type MetricFamily, metricPrefixes, type Times } from './metrics.ts'
import { boundText } from './metricTree.ts'

/** Metrics in the text format of Prometheus. */
export function metricsText(families: readonly MetricFamily[]): string {
  return families.map(familyText).join('')
}

function familyText(family: MetricFamily): string {
  const { type, labels, values, help } = family
  if (values.length === 0) return ''
  const name = fullName(family)
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
  for (const [labelValues, value] of values) {
    const pairs = labels.map((label, i) => `${label}="${escapeLabel(labelValues[i] ?? '')}"`)
    if (typeof value === 'number') lines.push(`${name}${braced(pairs)} ${value}`)
    else lines.push(...timesLines(name, pairs, value))
  }
  return `${lines.join('\n')}\n`
}

/** The name of a metric with its prefix. */
export function fullName({ category, name }: Pick<MetricFamily, 'category' | 'name'>): string {
  return metricPrefixes[category] + name
}

function timesLines(name: string, pairs: readonly string[], { bounds, counts, count, sum }: Times): string[] {
  const lines: string[] = []
  let total = 0
  for (const [i, bound] of bounds.entries()) {
    total += counts[i]!
    lines.push(`${name}_bucket${braced([...pairs, `le="${boundText(bound)}"`])} ${total}`)
  }
  if (bounds.length) lines.push(`${name}_bucket${braced([...pairs, 'le="+Inf"'])} ${count}`)
  lines.push(`${name}_sum${braced(pairs)} ${sum}`, `${name}_count${braced(pairs)} ${count}`)
  return lines
}

function braced(pairs: readonly string[]): string {
  return pairs.length ? `{${pairs.join(',')}}` : ''
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
