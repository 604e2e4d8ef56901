import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { runNode } from '../../src/node/runNode.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { systemClock } from '../../src/system/clock.ts'
import { createSilentLogs } from '../support/silentLogs.ts'

const read = (name: string) => readFileSync(join(packageRoot, 'deploy', name), 'utf8')

/** Names of the metrics that a node serves. */
async function servedMetrics(): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-deploy-'))
  const flags = {
    'data-path': folder,
    'metrics-enabled': 'true',
    ...Object.fromEntries(['metrics', 'rpc-http', 'rpc-ws', 'graphql-http'].map((name) => [`${name}-port`, '0'])),
  }
  const node = await runNode(resolveConfig(new Map(Object.entries(flags)), {}).config, createSilentLogs(), systemClock)
  try {
    const { port } = node.places.get('metrics')!
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the dashboard and the alerts ask for metrics that nodes serve', async () => {
  const served = await servedMetrics()
  const dashboard = JSON.parse(read('grafana/quoin.json')) as { panels: { targets: { expr: string }[] }[] }
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...read('prometheus/alerts.yaml').matchAll(/expr: (.*)/g)].map(([, expr]) => expr!),
  ]
  expect(asked.length).toBeGreaterThan(20)
  const names = asked.flatMap((expr) => expr.match(/\b(besu|ethereum|jvm|process)_\w+/g) ?? [])
  expect(names.filter((name) => !served.has(name.replace(/_bucket$/, '')))).toEqual([])
})
