import type { ChainSpec } from '../forks/chainSpec.ts'
import type { DevFork } from '../forks/devGenesis.ts'
import { Fault } from '../primitives/fault.ts'

/** Why a node cannot run a network. */
export type NetworkFault =
  /** The genesis file cannot be read, or is invalid. */
  | { code: 'GENESIS_FILE'; path: string; reason: string }
  /** Mining is enabled on a network whose blocks this node cannot make. */
  | { code: 'CANNOT_MINE'; engine: ChainSpec['consensus']['kind'] }
  /** Fewer states are to be kept than a network needs whose blocks may be replaced. */
  | { code: 'HISTORY_TOO_SHORT'; have: number; min: number }
  /** The state of a recent block was to be taken over where nobody says which block is to be believed. */
  | { code: 'CANNOT_SNAP'; engine: ChainSpec['consensus']['kind'] }
  /** The address outside of the container is not found. */
  | { code: 'NAT_METHOD'; method: string; reason: string }
  /** The data directory has a development chain of other rules or accounts; `fork` is what fits, if it is known. */
  | { code: 'OTHER_DEV_CHAIN'; fork: DevFork | undefined; reason: string }

/** The message is one line for the operator. */
export class NetworkError extends Fault<NetworkFault> {
  constructor(at: NetworkFault, cause?: unknown) {
    super(at, cause, networkSentence(at))
  }
}

function networkSentence(at: NetworkFault): string {
  if (at.code === 'GENESIS_FILE') return `Unable to load genesis file. ${at.path}: ${at.reason}`
  if (at.code === 'NAT_METHOD') return `--nat-method=${at.method}: ${at.reason}`
  if (at.code === 'OTHER_DEV_CHAIN')
    return `${at.reason}. ${
      at.fork
        ? `It was made with --dev-fork=${at.fork}`
        : 'It was made with another --dev-fork, --dev-accounts, --dev-mnemonic or --dev-balance'
    }: start it so, or choose another --data-path`
  if (at.code === 'HISTORY_TOO_SHORT')
    return (
      `--history-blocks=${at.have}: blocks of this network are not final, and a node that has deleted the states behind a ` +
      `reorganisation can never follow it: choose at least ${at.min}, or 0 to keep all`
    )
  if (at.code === 'CANNOT_SNAP')
    return `--sync-mode=SNAP: on a network with the consensus engine '${at.engine}' no validators vouch for a state: use FULL`
  return `--miner-enabled: this node cannot make blocks on a network with the consensus engine '${at.engine}'`
}
