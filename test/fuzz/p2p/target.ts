import type { BftProtocol } from '../../../src/consensus/bft/protocol.ts'
import type { Enode } from '../../../src/net/enode.ts'
import type { EthMessage } from '../../../src/net/eth/messages.ts'
import type { RlpItem } from '../../../src/primitives/rlp.ts'

/** The validator that is attacked, and what is known of it. */
export interface Target {
  readonly enode: Enode
  readonly protocol: BftProtocol
  /** The key of a validator that is not running: anyone who holds it is listened to. */
  readonly validatorKey: Uint8Array
  /** A right message of each kind, as seen on the chain. */
  readonly messages: Readonly<Record<EthMessage, RlpItem>>
}
