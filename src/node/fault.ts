import type { ServerAddress } from '../http/listen.ts'
import { TlsError } from '../http/tls/fault.ts'
import { Fault } from '../primitives/fault.ts'

/** Why a file of the options of private transactions cannot be used. */
export type PrivacyKeyFault =
  /** The file does not exist, or the operating system refuses to read it. */
  | { code: 'PUBLIC_KEY_FILE_UNREADABLE'; path: string }
  /** The file does not hold a key in base64. */
  | { code: 'PUBLIC_KEY_FILE_INVALID'; path: string }
  /** The keystore, its password or the list of known managers cannot be used. */
  | { code: 'TLS_FILE_INVALID'; path: string; reason: string }

/** The message is one line for the operator. */
export class PrivacyKeyError extends Fault<PrivacyKeyFault> {
  constructor(at: PrivacyKeyFault, cause?: unknown) {
    super(at, cause, privacyKeySentence(at))
  }
}

function privacyKeySentence(at: PrivacyKeyFault): string {
  if (at.code === 'TLS_FILE_INVALID') return `TLS of the private transaction manager: ${at.path}: ${at.reason}`
  const readable = at.code === 'PUBLIC_KEY_FILE_INVALID'
  const reason = readable ? 'Contents of enclave public key file are not a valid key' : 'the file cannot be read'
  return `--privacy-public-key-file: ${at.path}: ${reason}`
}

/** Why private transactions cannot be executed from where they stand. */
export type PrivacyHistoryFault =
  /** States or blocks before block `floor` are not here. */
  { code: 'HISTORY_PRUNED'; block: number; floor: number }

/** The message is one line for the operator. */
export class PrivacyHistoryError extends Fault<PrivacyHistoryFault> {
  constructor(at: PrivacyHistoryFault, cause?: unknown) {
    const sentence =
      `Private transactions go on at block ${at.block}, but the blocks or states before block ${at.floor} are not here: they were pruned ` +
      '(--history-blocks, --block-history), or the state of a later block was taken over (--sync-mode=SNAP, quoin backup --state). ' +
      'A member executes all that its groups have sent, from the first block on: start with an empty --data-path and without these options, ' +
      'so that the node synchronises all blocks'
    super(at, cause, sentence)
  }
}

/** The options that say where a server listens, such as `rpc-http`: `--rpc-http-host` and `--rpc-http-port`. */
export type ServerName = 'rpc-http' | 'rpc-ws' | 'graphql-http' | 'explorer-http' | 'metrics' | 'privacy-manager-peer'

/** Why a server cannot start. */
export type ServerFault =
  /** Another process listens at the port. */
  | { code: 'PORT_IN_USE'; server: ServerName; port: number }
  /** The address cannot be used for another reason. */
  | { code: 'CANNOT_LISTEN'; server: ServerName; host: string; port: number; reason: string }
  /** There can be no socket of IPC at the path. */
  | { code: 'NO_IPC'; path: string; reason: string }
  /** A file of TLS cannot be used. */
  | { code: 'NO_TLS'; server: ServerName; reason: string }

/** The message is one line for the operator. */
export class ServerError extends Fault<ServerFault> {
  constructor(at: ServerFault, cause?: unknown) {
    super(at, cause, serverSentence(at))
  }
}

/** Names of the servers in messages of Besu. */
const besuServices: Readonly<Record<ServerName, string>> = {
  'rpc-http': 'jsonRpc',
  'rpc-ws': 'websocket',
  'graphql-http': 'graphQLHttp',
  'explorer-http': 'explorer',
  metrics: 'metrics',
  'privacy-manager-peer': 'privacyManager',
}

function serverSentence(at: ServerFault): string {
  if (at.code === 'NO_TLS') return `Service ${besuServices[at.server]} failed to start: TLS: ${at.reason}`
  if (at.code === 'NO_IPC') return `Cannot listen on ${at.path}: ${at.reason}. See --ipc-path.`
  if (at.code === 'CANNOT_LISTEN')
    return `Cannot listen on ${at.host}:${at.port}: ${at.reason}. See --${at.server}-host and --${at.server}-port.`
  return (
    `Port(s) '[${at.port}]' already in use. Check for other processes using the port(s), ` +
    `or choose another with --${at.server}-port.`
  )
}

/** Rethrows the error of a server that could not listen, with the options that the operator has to change. */
export function rethrowListenError(
  server: ServerName,
  { host, port }: ServerAddress,
): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EADDRINUSE') throw new ServerError({ code: 'PORT_IN_USE', server, port }, error)
    const reason = error.code ?? error.message
    throw new ServerError({ code: 'CANNOT_LISTEN', server, host, port, reason }, error)
  }
}

/** Rethrows the error of a server whose TLS cannot be set up. */
export function rethrowTlsError(server: ServerName, error: unknown): never {
  if (error instanceof TlsError) throw new ServerError({ code: 'NO_TLS', server, reason: error.message }, error)
  throw error
}

/** Rethrows the error of a socket of IPC that cannot be. */
export function rethrowIpcError(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw new ServerError({ code: 'NO_IPC', path, reason: error.code ?? error.message }, error)
  }
}
