import { readFileSync } from 'node:fs'
import type { Config } from '../config/options.ts'
import { createHttpClient } from '../http/client/httpClient.ts'
import { createTlsAgent } from '../http/tls/clientTls.ts'
import { TlsError } from '../http/tls/fault.ts'
import { readPrivateKey } from '../keys/nodeKey.ts'
import { fromBase64 } from '../privacy/enclave/base64.ts'
import type { Enclave } from '../privacy/enclave/enclave.ts'
import { createTesseraClient } from '../privacy/enclave/tesseraClient.ts'
import { createManager, type ManagerPorts, managerFolder } from '../privacyManager/createManager.ts'
import { type KeyPair, loadOwnKey, readKeyFiles } from '../privacyManager/keys.ts'
import { PrivacyKeyError, rethrowListenError } from './fault.ts'

/** The private transaction manager of a node: the one inside, or an external one. */
export interface NodeManager {
  readonly enclave: Enclave
  /** The key of this node, in base64; undefined where tenants have keys of their own. */
  readonly publicKey: string | undefined
  /** Signs all markers; undefined signs each with a key of its own. */
  readonly markerKey: Uint8Array | undefined
  /** Calls back with the key of each payload that has come from another manager; undefined where the manager does not report it. */
  readonly onArrival: ((listener: (key: Uint8Array) => void) => void) | undefined
  close(): Promise<void>
}

/**
 * Reads the files that the options of private transactions name; returns what opens the manager, and may write to disk.
 * Undefined where private transactions are disabled.
 */
export async function prepareManager(
  config: Config,
  dataPath: string,
  ports: ManagerPorts,
): Promise<(() => Promise<NodeManager>) | undefined> {
  if (!config['privacy-enabled']) return undefined
  const markerKey = await readMarkerKey(config)
  const url = config['privacy-url']
  if (url) {
    const external = createExternal(config, url, ports)
    return () => Promise.resolve({ ...external, markerKey })
  }
  const password = config['privacy-manager-key-password-file']
  const given = await readKeyFiles(config['privacy-manager-key-file'], password)
  return async () => ({
    ...(await openEmbedded(config, dataPath, given ?? [await loadOwnKey(dataPath, ports.log, password)], ports)),
    markerKey,
  })
}

async function readMarkerKey(config: Config): Promise<Uint8Array | undefined> {
  const option = 'privacy-marker-transaction-signing-key-file'
  const path = config[option]
  if (path === undefined) return undefined
  const passwordFile = config['privacy-marker-key-password-file']
  return readPrivateKey({
    path,
    passwordFile,
    option: `--${option}`,
    passwordOption: '--privacy-marker-key-password-file',
  })
}

type OpenManager = Omit<NodeManager, 'markerKey'>

async function openEmbedded(
  config: Config,
  dataPath: string,
  keys: readonly KeyPair[],
  ports: ManagerPorts,
): Promise<OpenManager> {
  const peerApi = { host: config['privacy-manager-peer-host'], port: config['privacy-manager-peer-port'] }
  const options = {
    path: managerFolder(dataPath),
    keys,
    peerApi,
    url: config['privacy-manager-peer-url'],
    peers: config['privacy-manager-peers'],
    discovery: config['privacy-manager-peer-discovery'],
    allowedKeys: config['privacy-manager-allowed-keys'],
    recover: config['privacy-manager-recover'],
  }
  const manager = await createManager(options, ports).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') throw error
    return rethrowListenError('privacy-manager-peer', peerApi)(error)
  })
  ports.log.info({ peers: manager.url, keys: manager.keys.join() }, 'private transaction manager at {peers}: {keys}')
  const publicKey = config['privacy-multi-tenancy-enabled'] ? undefined : manager.keys[0]!
  return { enclave: manager, publicKey, onArrival: manager.onArrival, close: manager.close }
}

function createExternal(config: Config, given: string, { log }: ManagerPorts): OpenManager {
  const keyFile = config['privacy-public-key-file']
  const publicKey = keyFile === undefined ? undefined : readPublicKey(keyFile)
  const url = new URL(given)
  // As in Besu, whatever the address says.
  if (config['privacy-tls-enabled']) url.protocol = 'https:'
  const http = createHttpClient({}, url.protocol === 'https:' ? createSecureAgent(config, log) : undefined)
  return {
    enclave: createTesseraClient({ url: url.href, http }),
    publicKey,
    onArrival: undefined,
    close: async () => http.close(),
  }
}

function createSecureAgent(config: Config, log: ManagerPorts['log']): ReturnType<typeof createTlsAgent> {
  const [keystore, password] = [config['privacy-tls-keystore-file'], config['privacy-tls-keystore-password-file']]
  const identity =
    keystore !== undefined && password !== undefined ? ({ kind: 'PKCS12', keystore, password } as const) : undefined
  try {
    return createTlsAgent({ identity, knownServersFile: config['privacy-tls-known-enclave-file'] }, log)
  } catch (error) {
    if (!(error instanceof TlsError)) throw error
    throw new PrivacyKeyError({ code: 'TLS_FILE_INVALID', path: error.at.path, reason: error.at.reason }, error)
  }
}

function readPublicKey(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new PrivacyKeyError({ code: 'PUBLIC_KEY_FILE_UNREADABLE', path }, error)
  }
  if (text === '' || !fromBase64(text)) throw new PrivacyKeyError({ code: 'PUBLIC_KEY_FILE_INVALID', path })
  return text
}
