import { Fault } from '../primitives/fault.ts'

/** Why an allowlist is not changed or shown. */
export type AllowlistFault =
  /** The list of accounts is not enabled. */
  | { code: 'ACCOUNTS_DISABLED' }
  | { code: 'ACCOUNTS_EMPTY' }
  | { code: 'ACCOUNT_INVALID' }
  | { code: 'ACCOUNTS_DUPLICATE' }
  | { code: 'ACCOUNT_EXISTS' }
  | { code: 'ACCOUNT_ABSENT' }
  /** The list of nodes is not enabled. */
  | { code: 'NODES_DISABLED' }
  | { code: 'NODES_EMPTY' }
  | { code: 'NODE_INVALID' }
  | { code: 'NODES_DUPLICATE' }
  | { code: 'NODE_EXISTS' }
  | { code: 'NODE_ABSENT' }
  /** A bootnode or static node cannot be removed. */
  | { code: 'NODE_FIXED' }
  /** Neither list is enabled. */
  | { code: 'ALLOWLISTS_DISABLED' }
  /** The file cannot be written: nothing has changed. */
  | { code: 'NOT_PERSISTED' }
  /** Entries of the list are missing in the file: the list has changed, the file has not. */
  | { code: 'OUT_OF_SYNC' }
  /** The file is invalid: nothing has changed. */
  | { code: 'RELOAD_FAILED' }

/** An allowlist is not changed or shown. */
export class AllowlistError extends Fault<AllowlistFault> {}

/** Why a permissions file cannot be used. */
export type PermissionsFileFault =
  /** The file cannot be read, or is not TOML. */
  | { code: 'UNREADABLE'; path: string; reason: string }
  | { code: 'KEY_MISSING'; path: string; key: string }
  | { code: 'NOT_AN_ARRAY'; path: string; key: string }
  | { code: 'INVALID_ACCOUNT'; path: string; text: string }
  | { code: 'INVALID_NODE'; path: string; text: string; reason: string }
  /** Bootnodes or static nodes are not in the list. */
  | { code: 'NODES_NOT_LISTED'; nodes: readonly string[] }

/** The message is one line for the operator, in the words of Besu. */
export class PermissionsFileError extends Fault<PermissionsFileFault> {
  constructor(at: PermissionsFileFault, cause?: unknown) {
    super(at, cause, sentence(at))
  }
}

function sentence(at: PermissionsFileFault): string {
  switch (at.code) {
    case 'UNREADABLE':
      return `Unable to read permissioning TOML config file : ${at.path} ${at.reason}`
    case 'KEY_MISSING':
      return `${at.key} config option missing in TOML config file ${at.path}`
    case 'NOT_AN_ARRAY':
      return `${at.key} is not an array of strings in TOML config file ${at.path}`
    case 'INVALID_ACCOUNT':
      return `Invalid account ${at.text} in TOML config file ${at.path}`
    case 'INVALID_NODE':
      return (
        `Invalid enode URL syntax '${at.text}'. Enode URL should have the following format ` +
        `'enode://<node_id>@<ip>:<listening_port>[?discport=<discovery_port>]'. ${at.reason} (${at.path})`
      )
    case 'NODES_NOT_LISTED':
      return `Specified node(s) not in nodes-allowlist [${at.nodes.join(', ')}]`
  }
}
