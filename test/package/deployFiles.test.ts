import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/commands.ts'
import { parseArgs } from '../../src/cli/parseArgs.ts'
import { options } from '../../src/config/options.ts'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { parseYaml } from '../support/parseYaml.ts'

const read = (name: string) => readFileSync(join(packageRoot, 'deploy', name), 'utf8')

const readYaml = <T>(name: string): T[] => parseYaml<T>(read(name))

interface Named {
  readonly name: string
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Named
  readonly spec: {
    readonly selector: { readonly app?: string; readonly matchLabels?: { readonly app: string } }
    readonly ports?: readonly (Named & { readonly port: number })[]
  }
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly Named[]
  readonly ports: readonly (Named & { readonly containerPort: number })[]
  readonly livenessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly securityContext: object
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[]
}

interface StatefulSet extends Manifest {
  readonly spec: Manifest['spec'] & {
    readonly serviceName: string
    readonly template: {
      readonly metadata: { readonly labels: { readonly app: string } }
      readonly spec: {
        readonly securityContext: object
        readonly containers: readonly Container[]
        readonly volumes: readonly Named[]
      }
    }
    readonly volumeClaimTemplates: readonly { readonly metadata: Named }[]
  }
}

/** Reads a command line as the program does, without running it. */
const readOptions = (args: readonly string[]) => resolveConfig(parseArgs(args, main).given[0]!, {}).config

describe('kubernetes/validators.yaml', () => {
  const manifests = readYaml<Manifest>('kubernetes/validators.yaml')
  const set = manifests.find(({ kind }) => kind === 'StatefulSet') as StatefulSet
  const { template, serviceName, volumeClaimTemplates } = set.spec
  const [container] = template.spec.containers as [Container]

  test('its objects are those of a network, and select the pods of the set', () => {
    expect(manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'v1 Service quoin',
      'v1 Service quoin-rpc',
      'policy/v1 PodDisruptionBudget quoin',
      'apps/v1 StatefulSet quoin',
    ])
    const selected = manifests.map(({ spec: { selector } }) => selector.app ?? selector.matchLabels?.app)
    expect(new Set([...selected, template.metadata.labels.app])).toEqual(new Set(['quoin']))
    expect(manifests.some(({ kind, metadata }) => kind === 'Service' && metadata.name === serviceName)).toBe(true)
  })

  test('ports of services and probes are those that the node listens on', () => {
    const ofPod = { POD_IP: '10.0.0.1', POD_NAME: 'quoin-0' }
    const config = readOptions(
      container.args.map((arg) => arg.replace(/\$\((\w+)\)/, (_, name: keyof typeof ofPod) => ofPod[name])),
    )
    expect(Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))).toEqual({
      'p2p-tcp': config['p2p-port'],
      'p2p-udp': config['p2p-port'],
      'json-rpc': config['rpc-http-port'],
      ws: config['rpc-ws-port'],
      metrics: config['metrics-port'],
    })
    const services = manifests.flatMap(({ spec }) => spec.ports ?? [])
    for (const { name, port } of services)
      expect(container.ports).toContainEqual(expect.objectContaining({ name, containerPort: port }))
    expect(container.livenessProbe.httpGet).toEqual({ path: '/liveness', port: 'json-rpc' })
    expect(container.readinessProbe.httpGet).toMatchObject({
      path: expect.stringMatching(/^\/readiness/),
      port: 'json-rpc',
    })
  })

  test('files and variables of the options are mounted and set', () => {
    const volumes = [...template.spec.volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)]
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort())
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath)
    const paths = container.args.flatMap((arg) => /=(\/\w+)/.exec(arg)?.[1] ?? [])
    expect(paths.filter((path) => !mounted.includes(path))).toEqual([])
    const variables = container.args.flatMap((arg) => [...arg.matchAll(/\$\((\w+)\)/g)].map(([, name]) => name!))
    expect(variables.sort()).toEqual(container.env.map(({ name }) => name).sort())
  })

  test('it runs without privileges, on a read-only root, within limits', () => {
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    expect(container.resources.limits.memory).toMatch(/^\d+Gi$/)
  })
})

describe('helm/quoin', () => {
  const templates = ['_helpers.tpl', 'validators.yaml', 'readers.yaml'].map((name) =>
    read(`helm/quoin/templates/${name}`),
  )

  test('its nodes are started with options that there are', () => {
    const named = templates.flatMap((text) => [...text.matchAll(/--([A-Za-z][\w-]*)/g)].map(([, name]) => name!))
    expect(named).toContain('node-private-key-file')
    expect(named.filter((name) => !(name in options))).toEqual([])
  })

  test('its values that templates read are there', () => {
    const [values] = readYaml<Record<string, object>>('helm/quoin/values.yaml')
    const used = templates.flatMap((text) => [...text.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name!))
    expect(used.filter((name) => !(name in values!))).toEqual([])
  })

  test('its version is that of the package, and its script is JavaScript', () => {
    const [{ appVersion } = {}] = readYaml<{ appVersion?: string }>('helm/quoin/Chart.yaml')
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
    expect(appVersion).toBe(version)
    const script = join(packageRoot, 'deploy/helm/quoin/files/keeper.mjs')
    expect(spawnSync(process.execPath, ['--check', script]).status).toBe(0)
  })
})

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string
      readonly expr: string
      readonly for: string
      readonly labels: { readonly severity: string }
      readonly annotations: { readonly summary: string; readonly action: string }
    }[]
  }[]
}

test('prometheus/alerts.yaml: each rule says when, how bad, what and what to do', () => {
  const rules = readYaml<Alerts>('prometheus/alerts.yaml').flatMap(({ groups }) => groups.flatMap(({ rules }) => rules))
  expect(rules.length).toBeGreaterThan(7)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, expr, for: time, labels, annotations } of rules) {
    expect([alert, expr.split('(').length]).toEqual([alert, expr.split(')').length])
    expect(time).toMatch(/^\d+[smh]$/)
    expect(['critical', 'warning']).toContain(labels.severity)
    expect([annotations.summary, annotations.action].every((text) => text.length > 10)).toBe(true)
  }
})

describe('Containerfile', () => {
  const lines = read('Containerfile')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const of = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `))

  test('it has instructions that there are, and copies from stages that there are', () => {
    const known = /^(FROM|WORKDIR|COPY|RUN|LABEL|USER|VOLUME|EXPOSE|ENV|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT) /
    expect(lines.filter((line) => !known.test(line))).toEqual([])
    const stages = of('FROM').flatMap((line) => / AS (\w+)/.exec(line)?.[1] ?? [])
    const used = of('COPY').flatMap((line) => /--from=(\w+)/.exec(line)?.[1] ?? [])
    expect(used.filter((stage) => !stages.includes(stage))).toEqual([])
    // An image that changes under its name breaks builds.
    expect(of('FROM').filter((line) => !/:\d/.test(line))).toEqual([])
  })

  test('it runs as a user, has a health check, and sets options that there are', () => {
    expect(of('USER')).toEqual(['USER node'])
    expect(of('HEALTHCHECK').join()).toContain('/liveness')
    const variables = [
      ...of('ENV')
        .join(' ')
        .matchAll(/QUOIN_(\w+)=/g),
    ].map(([, name]) => name!)
    expect(variables.length).toBeGreaterThan(0)
    const names = variables.map((name) => name.toLowerCase().replaceAll('_', '-'))
    expect(names.filter((name) => !(name in options))).toEqual([])
  })
})

describe('systemd/quoin.service', () => {
  const unit = read('systemd/quoin.service')

  test('its command line has options that there are, and its settings occur once', () => {
    const [, args] = /^ExecStart=\/usr\/bin\/quoin (.*)$/m.exec(unit)!
    expect(() => parseArgs(args!.split(' '), main)).not.toThrow()
    const keys = [...unit.matchAll(/^(\w+)=/gm)].map(([, key]) => key!)
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  })

  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
  test.runIf(isThere)('systemd finds nothing to say', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-unit-'))
    const file = join(folder, 'quoin.service')
    // The program is not installed where tests run.
    writeFileSync(file, unit.replace('/usr/bin/quoin', '/bin/true'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
  })
})
