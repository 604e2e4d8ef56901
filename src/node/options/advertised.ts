import { NetworkError } from '../../chainData/fault.ts'
import type { Config } from '../../config/options.ts'
import {
  type ContainerEndpoint,
  findDockerEndpoint,
  findServiceEndpoint,
  readKubernetesService,
} from '../../net/nat/containerEndpoint.ts'
import type { NetworkOptions } from '../../net/p2pNetwork.ts'
import type { LookUp } from '../../permissioning/nodeEntry.ts'
import type { Logger } from '../../system/logger.ts'

/** Puts the endpoint outside of the container into the options of the network, where --nat-method asks for it. */
export async function withAdvertised(
  options: NetworkOptions,
  config: Config,
  lookUp: LookUp,
  log: Logger,
): Promise<NetworkOptions> {
  const method = config['nat-method']
  if (!config['p2p-enabled'] || (method !== 'DOCKER' && method !== 'KUBERNETES')) return options
  try {
    const { ip, tcpPort, udpPort } = await findEndpoint(method, config, lookUp)
    log.info({ method, ip, tcpPort, udpPort }, '{method}: advertising the address {ip}')
    return { ...options, host: ip, external: { tcpPort, udpPort } }
  } catch (error) {
    const reason = (error as Error).message
    if (!config['Xnat-method-fallback-enabled']) throw new NetworkError({ code: 'NAT_METHOD', method, reason }, error)
    log.warn(
      { method, reason, host: options.host },
      '{method}: {reason}. Advertising {host}, the address of --p2p-host',
    )
    return options
  }
}

async function findEndpoint(
  method: 'DOCKER' | 'KUBERNETES',
  config: Config,
  lookUp: LookUp,
): Promise<ContainerEndpoint> {
  const port = config['p2p-port']
  if (method === 'DOCKER') return findDockerEndpoint(port, process.env, lookUp)
  const service = await readKubernetesService(config['Xnat-kube-service-name'], process.env)
  return findServiceEndpoint(service, port, lookUp)
}
