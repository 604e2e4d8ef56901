import type { ErrorObject } from '../../jsonrpc/errorObject.ts'
import type { EnclaveFault } from '../../privacy/enclave/enclave.ts'
import type { PrivacyFault } from '../../privacy/fault.ts'
import type { RpcCode } from './codes.ts'

const undecodable: RpcCode = [-50100, 'Unable to decode the private signed raw transaction']

/** Why a private transaction or a question about one is refused. */
const privacyCodes = {
  UNDECODABLE_TRANSACTION: undecodable,
  UNSUPPORTED_RESTRICTION: [-50100, 'Unsupported private transaction type'],
  WRONG_PRIVATE_FROM: [-50100, 'Private from does not match enclave public key'],
  VALUE_NOT_ZERO: [-50100, 'Private transactions cannot transfer value'],
  WRONG_CHAIN_ID: [-32000, 'Wrong chainId'],
  NONCE_TOO_LOW: [-32001, 'Nonce too low'],
  WRONG_GROUP_TYPE: undecodable,
  PRIVATE_STATE_BEHIND: [-32000, 'Private state is behind'],
  PRIVATE_CALLS_BUSY: [-32005, 'Too many private calls are waiting: try again later, or send fewer at once'],
  FLEXIBLE_GROUP_ID_MISSING: [-50100, 'Private transactions to flexible privacy groups must use privacyGroupId'],
  FLEXIBLE_GROUP_UNKNOWN: [-50100, 'Flexible Privacy group does not exist.'],
  INVALID_GROUP_ID: [-32602, 'Invalid params: the privacy group id is not 32 bytes in base64'],
} as const satisfies Record<PrivacyFault['code'], RpcCode>

export function privacyErrorObject(at: PrivacyFault): ErrorObject {
  const [code, message] = privacyCodes[at.code]
  if (at.code !== 'PRIVATE_STATE_BEHIND') return { code, message }
  return { code, message: `${message}: the group has executed block ${at.at}, and block ${at.wanted} is yet to come` }
}

/** The refusals of a manager that Besu passes on; all others are an error of communication. */
const knownTexts: ReadonlySet<string> = new Set([
  ...['NodeMissingPeerUrl', 'NodePushingToPeer', 'NodePropagatingToAllPeers', 'NoSenderKey', 'InvalidPayload'],
  ...['EnclaveCreateKeyPair', 'EnclaveDecodePublicKey', 'EnclaveDecryptWrongPrivateKey', 'EnclaveEncryptCombineKeys'],
  ...['EnclaveMissingPrivateKeyPasswords', 'EnclaveNoMatchingPrivateKey', 'EnclaveNotPayloadOwner'],
  ...['EnclaveUnsupportedPrivateKeyType', 'EnclaveStorageDecrypt', 'EnclavePrivacyGroupIdCreation'],
  ...['EnclavePayloadNotFound', 'CreatePrivacyGroupShouldIncludeSelf', 'Recipient not found for key:'],
  'The list of members in a privacy group should include self',
  ...['PrivacyGroupNotStored', 'PrivacyGroupNotDeleted', 'PrivacyGroupNotPushed', 'PrivacyGroupNotFound'],
  ...['PrivacyGroupQueryError', 'EnclaveKeysCannotDecryptPayload', 'MethodUnimplemented'],
])

/** The base64 keys that Tessera puts behind its texts. */
const keyInText = /\s*[A-Za-z0-9+/]{43}=$/

export function enclaveErrorObject(at: EnclaveFault): ErrorObject {
  const text = at.code === 'ENCLAVE_REFUSED' ? at.text.replace(keyInText, '').trim() : ''
  if (knownTexts.has(text)) return { code: -50200, message: text }
  return { code: -50100, message: 'Error communicating with enclave' }
}
