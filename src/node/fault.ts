import type { ChainSpec } from '../forks/chainSpec.ts'
import { Fault } from '../primitives/fault.ts'

/** Why a node cannot run a network. */
export type NetworkFault =
  /** The genesis file cannot be read, or is invalid. */
  | { code: 'GENESIS_FILE'; path: string; reason: string }
  /** Mining is enabled on a network whose blocks this node cannot make. */
  | { code: 'CANNOT_MINE'; engine: ChainSpec['consensus']['kind'] }

/** The message is one line for the operator. */
export class NetworkError extends Fault<NetworkFault> {
  constructor(at: NetworkFault, cause?: unknown) {
    super(at, cause, networkSentence(at))
  }
}

function networkSentence(at: NetworkFault): string {
  if (at.code === 'GENESIS_FILE') return `Unable to load genesis file. ${at.path}: ${at.reason}`
  return `--miner-enabled: this node cannot make blocks on a network with the consensus engine '${at.engine}'`
}

/** Why the private key of a node cannot be loaded. */
export type NodeKeyFault =
  /** The file does not exist. */
  | { code: 'KEY_FILE_MISSING'; path: string }
  /** The file does not hold a private key. */
  | { code: 'KEY_FILE_INVALID'; path: string }
  /** The operating system refuses to read the file. */
  | { code: 'KEY_FILE_UNREADABLE'; path: string }

/** The message is one line for the operator. */
export class NodeKeyError extends Fault<NodeKeyFault> {
  constructor(at: NodeKeyFault, cause?: unknown) {
    super(at, cause, `${at.path}: ${nodeKeySentences[at.code]}`)
  }
}

const nodeKeySentences: Record<NodeKeyFault['code'], string> = {
  KEY_FILE_MISSING: 'the private key file does not exist',
  KEY_FILE_INVALID: 'Supplied file does not contain valid keyPair pair.',
  KEY_FILE_UNREADABLE: 'the private key file cannot be read',
}

/** Why a server cannot start. */
export type ServerFault =
  /** Another process listens at the port. */
  { code: 'PORT_IN_USE'; port: number }

/** The message is one line for the operator. */
export class ServerError extends Fault<ServerFault> {
  constructor(at: ServerFault, cause?: unknown) {
    super(at, cause, `Port(s) '[${at.port}]' already in use. Check for other processes using the port(s).`)
  }
}

/** Rethrows the error of a server that could not listen; names the port if it is in use. */
export function rethrowListenError(port: number): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EADDRINUSE') throw new ServerError({ code: 'PORT_IN_USE', port }, error)
    throw error
  }
}

/** Why blocks could not be imported. */
export type ImportFault =
  /** The thread that imports has failed; the reason is the message of its error. */
  { code: 'IMPORT_FAILED'; reason: string }

/** The message is the reason alone. */
export class ImportError extends Fault<ImportFault> {
  constructor(at: ImportFault) {
    super(at, undefined, at.reason)
  }
}
