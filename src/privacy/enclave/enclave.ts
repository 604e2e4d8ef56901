import { Fault } from '../../primitives/fault.ts'

/** A group as a manager of private transactions describes it, or its contract if it is flexible; keys and ids are base64. */
export interface PrivacyGroup {
  readonly privacyGroupId: string
  readonly name: string
  readonly description: string
  readonly type: 'LEGACY' | 'PANTHEON' | 'FLEXIBLE'
  readonly members: readonly string[]
}

/** Who gets a payload: these keys, or the members of a group. */
export type Recipients = { readonly to: readonly string[] } | { readonly privacyGroupId: string }

export interface ReceivedPayload {
  readonly payload: Uint8Array
  readonly privacyGroupId: string
  readonly senderKey: string
}

/** Why a manager of private transactions did not do what it was asked. */
export type EnclaveFault =
  /** It refused: `text` is its reason. */
  | { code: 'ENCLAVE_REFUSED'; status: number; text: string }
  /** It failed, answered nonsense or cannot be reached. */
  | { code: 'ENCLAVE_UNAVAILABLE'; text: string }
export class EnclaveError extends Fault<EnclaveFault> {}

/** A manager of private transactions: the one inside, or an external one such as Tessera. */
export interface Enclave {
  /** Stores a payload, hands it to the recipients and returns its key of 32 bytes. */
  send(payload: Uint8Array, from: string, recipients: Recipients): Promise<Uint8Array>
  /** The payload of a key, for one of this manager's own keys or for any of them. */
  receive(key: Uint8Array, to?: string): Promise<ReceivedPayload>
  createGroup(group: {
    readonly addresses: readonly string[]
    readonly from: string
    readonly name: string
    readonly description: string
  }): Promise<PrivacyGroup>
  deleteGroup(privacyGroupId: string, from: string): Promise<string>
  /** The groups with exactly these members. */
  findGroups(addresses: readonly string[]): Promise<readonly PrivacyGroup[]>
  retrieveGroup(privacyGroupId: string): Promise<PrivacyGroup>
  /** The groups that a key is a member of; absent where a manager does not list them. */
  groupsOf?(publicKey: string): Promise<readonly PrivacyGroup[]>
}
