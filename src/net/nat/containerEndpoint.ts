import { readFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { createHttpClient } from '../../http/client/httpClient.ts'

/** Where other nodes reach this one; ports that are undefined are those that it listens on. */
export interface ContainerEndpoint {
  readonly ip: string
  readonly tcpPort: number | undefined
  readonly udpPort: number | undefined
}

type LookUp = (name: string) => Promise<string | undefined>
type Env = Readonly<Record<string, string | undefined>>

/**
 * The endpoint of a container's host as Besu finds it: the address of the host name HOST_IP (`docker run
 * --add-host=HOST_IP:<address>`) and the port in the variable HOST_PORT_<port>. Throws if there is no such host name.
 */
export async function findDockerEndpoint(port: number, env: Env, lookUp: LookUp): Promise<ContainerEndpoint> {
  const ip = await lookUp('HOST_IP')
  if (ip === undefined)
    throw new Error(
      'the host name HOST_IP is unknown; start the container with --add-host=HOST_IP:<address of the host>',
    )
  const mapped = env[`HOST_PORT_${port}`]
  const external = mapped === undefined ? undefined : Number(mapped)
  if (external !== undefined && !isPort(external)) throw new Error(`HOST_PORT_${port} is not a port: '${mapped}'`)
  return { ip, tcpPort: external, udpPort: external }
}

const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536

/** What Kubernetes puts into each container of a pod. */
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A service as the API of Kubernetes describes it, as far as it matters. */
export interface KubernetesService {
  readonly spec?: {
    readonly clusterIP?: string
    readonly type?: string
    readonly ports?: readonly { readonly port: number; readonly protocol?: string; readonly targetPort?: unknown }[]
  }
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] }
  }
}

/** The endpoint of the service in front of the pod: that of its load balancer, or its address in the cluster. */
export async function findServiceEndpoint(
  { spec, status }: KubernetesService,
  port: number,
  lookUp: LookUp,
): Promise<ContainerEndpoint> {
  const [ingress] = status?.loadBalancer?.ingress ?? []
  const name = spec?.type === 'LoadBalancer' ? (ingress?.ip ?? ingress?.hostname) : spec?.clusterIP
  const ip = name === undefined || isIP(name) ? name : await lookUp(name)
  if (ip === undefined) throw new Error('the service has no address yet')
  const outer = (protocol: string) =>
    spec?.ports?.find((p) => (p.targetPort ?? p.port) === port && (p.protocol ?? 'TCP') === protocol)?.port
  return { ip, tcpPort: outer('TCP'), udpPort: outer('UDP') }
}

/** Milliseconds and bytes that an answer of the API may have. */
const limits = { timeout: 10_000, maxAnswer: 1 << 20 }

/** Asks the API of Kubernetes for a service in the namespace of this pod, as the pod's service account. */
export async function readKubernetesService(
  name: string,
  env: Env,
  folder = accountFolder,
): Promise<KubernetesService> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (host === undefined) throw new Error('KUBERNETES_SERVICE_HOST is not set: this is not a pod of Kubernetes')
  const account = (file: string) => readFileSync(join(folder, file), 'utf8').trim()
  const path = `/api/v1/namespaces/${account('namespace')}/services/${encodeURIComponent(name)}`
  const url = new URL(path, `https://${isIPv6(host) ? `[${host}]` : host}:${port}`)
  const headers = { authorization: `Bearer ${account('token')}`, accept: 'application/json' }
  const client = createHttpClient({ keepAlive: false, ca: account('ca.crt') })
  const { status, body } = await client.ask(url, { method: 'GET', headers }, limits)
  if (status === 200) return JSON.parse(body.toString()) as KubernetesService
  throw new Error(
    `Kubernetes answers ${status} for the service '${name}': the service account of the pod ` +
      'must be allowed to get services',
  )
}
