import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Manifest, Role } from './manifests.ts'

/** An object as the cluster keeps it. */
export interface Kept extends Manifest {
  readonly metadata: Manifest['metadata'] & { readonly resourceVersion?: string }
  readonly data?: Readonly<Record<string, string>>
}

/** Secrets, ConfigMaps and pods, as far as the chart's script asks for them. */
export interface ClusterApi {
  readonly url: string
  /** By `secrets/NAME` and `configmaps/NAME`. */
  readonly objects: Map<string, Kept>
  /** What the script may do; nothing before it is set. */
  setRole(role: Role): void
  close(): Promise<void>
}

const verbs: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Serves at an address; a pod that is deleted is started again by `restart`. */
export async function serveCluster(host: string, restart: (pod: string) => void): Promise<ClusterApi> {
  const objects = new Map<string, Kept>()
  let role: Role | undefined
  let version = 0

  function mayDo(verb: string, resource: string, name: string | undefined): boolean {
    return (role?.rules ?? []).some(
      ({ resources, resourceNames, verbs }) =>
        resources.includes(resource) &&
        verbs.includes(verb) &&
        (!resourceNames || (name !== undefined && resourceNames.includes(name))),
    )
  }

  function keep(path: string, object: Kept): [number, unknown] {
    const known = objects.get(path)
    if (known?.metadata.resourceVersion !== object.metadata.resourceVersion)
      return [409, 'somebody else has changed it']
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } }
    objects.set(path, kept)
    return [known ? 200 : 201, kept]
  }

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const [, resource = '', name] = /^\/api\/v1\/namespaces\/default\/(\w+)(?:\/(.+))?$/.exec(request.url!) ?? []
    const verb = verbs[request.method!]!
    if (!mayDo(verb, resource, name)) return [403, `forbidden: ${verb} ${resource} ${name ?? ''}`]
    if (verb === 'delete') {
      restart(name!)
      return [200, {}]
    }
    if (verb === 'get') {
      const found = objects.get(`${resource}/${name}`)
      return found ? [200, found] : [404, 'not found']
    }
    const object = JSON.parse(await text(request)) as Kept
    return keep(`${resource}/${object.metadata.name}`, object)
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    objects,
    setRole: (wanted) => (role = wanted),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
