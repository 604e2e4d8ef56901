import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { runCommand } from '../../interop/command.ts'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import type { Lab, Place } from '../../netlab/lab.ts'
import { type ClusterApi, type Kept, serveCluster } from './clusterApi.ts'
import {
  type ConfigMap,
  hookOf,
  type Job,
  type Manifest,
  type PodSpec,
  type Role,
  type StatefulSet,
} from './manifests.ts'

/** A pod that runs. */
export interface Pod {
  readonly name: string
  readonly node: NodeProcess
  /** Where its readiness is asked. */
  readonly readiness: string
}

/** The objects of the chart brought to life: pods are processes in network namespaces, volumes are folders. */
export interface Cluster {
  readonly api: ClusterApi
  /** As `helm install` and `helm upgrade` do it; what the failed job said is the error. */
  apply(objects: readonly Manifest[]): Promise<void>
  pods(role: 'validator' | 'reader'): readonly Pod[]
  close(): Promise<void>
}

const rpcPort = 8545
const ofKind = <T extends Manifest>(objects: readonly Manifest[], kind: string): T[] =>
  objects.filter((object) => object.kind === kind) as T[]
const nameOf = ({ within }: Place) => within.at(-1)!

class NamespaceCluster implements Cluster {
  private readonly folder: string
  private readonly places: ReadonlyMap<string, Place>
  private readonly keeper: Place
  private readonly running = new Map<string, Pod & { readonly spec: PodSpec }>()
  readonly api: ClusterApi

  constructor(folder: string, places: ReadonlyMap<string, Place>, keeper: Place, api: ClusterApi) {
    this.folder = folder
    this.places = places
    this.keeper = keeper
    this.api = api
  }

  /** Writes the volumes of a pod; says where each mount is. */
  private mount(pod: string, { volumes, containers: [{ volumeMounts }] }: PodSpec): Map<string, string> {
    const mounts = new Map<string, string>()
    for (const { name, mountPath, subPathExpr } of volumeMounts) {
      const folder = join(this.folder, pod, name)
      const volume = volumes.find((one) => one.name === name)
      mkdirSync(folder, { recursive: true })
      const path = volume?.configMap ? `configmaps/${volume.configMap.name}` : `secrets/${volume?.secret?.secretName}`
      for (const [file, content] of Object.entries(this.api.objects.get(path)?.data ?? {}))
        if (!subPathExpr || file === pod)
          writeFileSync(join(folder, file), volume?.secret ? Buffer.from(content, 'base64') : content, { mode: 0o600 })
      mounts.set(mountPath, subPathExpr ? join(folder, pod) : folder)
    }
    return mounts
  }

  private launch(name: string, spec: PodSpec): void {
    const place = this.places.get(name)!
    const [container] = spec.containers
    const mounts = this.mount(name, spec)
    const args = container.args!.map((arg) => {
      const text = arg.replace('$(POD_IP)', place.address).replace('$(POD_NAME)', name)
      for (const [path, folder] of mounts) if (text.includes(`=${path}`)) return text.replace(`=${path}`, `=${folder}`)
      return text
    })
    const [command, ...within] = place.within
    const node = createNodeProcess({
      name,
      httpHost: place.control,
      httpPort: rpcPort,
      logFile: join(this.folder, `${name}.log`),
      command: command!,
      args: [...within, process.execPath, quoinProgram, ...args],
    })
    node.start()
    const readiness = `http://${place.control}:${rpcPort}${container.readinessProbe!.httpGet.path}`
    this.running.set(name, { name, node, readiness, spec })
  }

  /** A pod that was deleted comes again, with its volume. */
  readonly restart = async (name: string): Promise<void> => {
    const pod = this.running.get(name)
    if (!pod) return
    await pod.node.stop()
    this.launch(name, pod.spec)
  }

  private async run({ metadata, spec }: Job): Promise<void> {
    const [container] = spec.template.spec.containers
    const mounts = this.mount(metadata.name, spec.template.spec)
    const [, script, step] = container.command!
    const [program, ...within] = this.keeper.within
    const file = join(mounts.get(dirname(script!))!, 'keeper.mjs')
    const env = {
      KUBERNETES_API: this.api.url,
      KEEPER_MINUTES: '10',
      QUOIN_PROGRAM: join(packageRoot, 'bin/quoin'),
    }
    const { code, stdout, stderr } = await runCommand(program!, [...within, process.execPath, file, step!], { env })
    writeFileSync(join(this.folder, `${metadata.name}.log`), stdout + stderr, { flag: 'a' })
    if (code !== 0) throw new Error(stderr.trim())
  }

  private async scale(set: StatefulSet): Promise<void> {
    const { name } = set.metadata
    const { replicas, template } = set.spec
    for (let i = 0; i < replicas; i++) if (!this.running.has(`${name}-${i}`)) this.launch(`${name}-${i}`, template.spec)
    for (const [pod, { node }] of this.running)
      if (pod.startsWith(`${name}-`) && Number(pod.slice(name.length + 1)) >= replicas) {
        this.running.delete(pod)
        await node.stop()
      }
  }

  readonly apply = async (objects: readonly Manifest[]): Promise<void> => {
    for (const map of ofKind<ConfigMap>(objects, 'ConfigMap'))
      this.api.objects.set(`configmaps/${map.metadata.name}`, map as Kept)
    for (const role of ofKind<Role>(objects, 'Role')) this.api.setRole(role)
    const jobs = ofKind<Job>(objects, 'Job')
    for (const job of jobs.filter((one) => hookOf(one)!.includes('pre-'))) await this.run(job)
    for (const set of ofKind<StatefulSet>(objects, 'StatefulSet')) await this.scale(set)
    for (const job of jobs.filter((one) => hookOf(one)!.includes('post-'))) await this.run(job)
  }

  readonly pods = (role: string): Pod[] =>
    [...this.running.values()]
      .filter(({ name }) => name.includes(`-${role}-`))
      .sort((a, b) => (a.name < b.name ? -1 : 1))

  readonly close = async (): Promise<void> => {
    await Promise.all([...this.running.values()].map(({ node }) => node.stop()))
    await this.api.close()
  }
}

/** Gives each place the names of all pods: a cluster's DNS. */
function writeHosts(places: readonly Place[], names: readonly string[]): () => void {
  const lines = names.map((name, i) => `${places[i]!.address} ${name}`)
  const folders = places.map((place) => `/etc/netns/${nameOf(place)}`)
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'hosts'), ['127.0.0.1 localhost', ...lines, ''].join('\n'))
  }
  return () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** A cluster in a lab with a place for each of these pods, and one more for jobs. */
export async function openCluster(folder: string, lab: Lab, host: string, names: readonly string[]): Promise<Cluster> {
  const removeHosts = writeHosts(lab.places, names)
  const api = await serveCluster(host, (pod) => void cluster.restart(pod))
  const places = new Map(names.map((name, i) => [name.split('.')[0]!, lab.places[i]!]))
  const cluster = new NamespaceCluster(folder, places, lab.places.at(-1)!, api)
  const { apply, pods } = cluster
  return {
    ...{ api, apply, pods },
    async close() {
      await cluster.close()
      removeHosts()
    },
  }
}
