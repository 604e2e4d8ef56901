import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { join } from 'node:path'

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

/** Asks the API of Kubernetes for a service in the namespace of this pod, as the pod's service account. */
export function readKubernetesService(name: string, env: Env, folder = accountFolder): Promise<KubernetesService> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (host === undefined) throw new Error('KUBERNETES_SERVICE_HOST is not set: this is not a pod of Kubernetes')
  const account = (file: string) => readFileSync(join(folder, file), 'utf8').trim()
  const options = {
    host,
    port: port ?? 443,
    path: `/api/v1/namespaces/${account('namespace')}/services/${encodeURIComponent(name)}`,
    ca: account('ca.crt'),
    headers: { authorization: `Bearer ${account('token')}`, accept: 'application/json' },
    timeout: 10_000,
  }
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(body) as KubernetesService)
        else
          reject(
            new Error(
              `Kubernetes answers ${response.statusCode} for the service '${name}': the service account of the pod ` +
                'must be allowed to get services',
            ),
          )
      })
    })
    call.on('error', reject).on('timeout', () => call.destroy(new Error('Kubernetes does not answer')))
    call.end()
  })
}
