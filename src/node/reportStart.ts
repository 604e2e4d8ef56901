import { isAuthorityEngine } from '../consensus/authorityEngine.ts'
import { includesBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import type { ServicePlace } from '../rpc/protocol/context.ts'
import type { ConnectedNode } from './connectParts.ts'
import { exposedApis } from './options/exposedApis.ts'
import { forksOf } from './ports/watchNodeState.ts'
import { serviceUrls } from './serviceUrls.ts'
import { validatorsOf } from './validatorsOf.ts'

/** Says what a fork will do to the network, or has done, while it can still be changed. */
function warnOfForks(node: ConnectedNode): void {
  for (const { text, advice, isFatal } of forksOf(node)) {
    if (isFatal) node.log.error({ advice }, text)
    else node.log.warn({ advice }, text)
  }
}

/** Logs what the node serves and who it is. */
export function reportStart(node: ConnectedNode, places: ReadonlyMap<string, ServicePlace>): void {
  const { config, network, chain, consensus, version, dataPath, p2p, log } = node
  const apis: Readonly<Record<string, readonly string[]>> = {
    jsonrpc: config['rpc-http-api'],
    ws: config['rpc-ws-api'],
  }
  for (const [service, url] of serviceUrls(places))
    log.info({ service, url, apis: apis[service] }, '{service} listens at {url}')
  for (const exposed of exposedApis(config))
    log.warn(exposed, '{server}: {apis} are served on {host} without authentication; see {option}')
  warnOfForks(node)
  const address = node.address
  const validators = validatorsOf(node)
  const isValidator = includesBytes(validators, address)
  const head = chain.head()
  const fields = {
    version,
    network: network.name,
    // One node makes the blocks of the development network, whatever its genesis file names.
    consensus: network.isDev ? 'dev' : chain.spec.consensus.kind,
    chainId: Number(chain.spec.chainId),
    genesis: toHex(chain.genesis.hash),
    dataPath,
    head: Number(head.header.number),
    address: toHex(address),
    enode: p2p?.peers.enode(),
    ...(isAuthorityEngine(consensus) && { isValidator, validators: validators.length }),
  }
  if (!isAuthorityEngine(consensus)) log.info(fields, 'node started')
  else if (isValidator) log.info(fields, 'node started: {address} is a validator, one of {validators}')
  else log.info(fields, 'node started: {address} is not a validator; the network has {validators}')
}
