import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../../src/primitives/u256.ts'
import { fromBase64 } from '../../../src/privacy/enclave/base64.ts'
import { calls } from '../../support/flexibleCalls.ts'
import { signPrivate } from '../../support/signPrivate.ts'

/** The only party of the network `private`. */
export const privateKeyOfParty = '9RAGh3TaK6vpQ2w2sQ+fMjdSvx14tEThTTq2maEPl2A='
const privateFrom = fromBase64(privateKeyOfParty)!
const recipients = { privateFor: [privateFrom] }
/** The account that sends its private transactions. */
const sender = bigIntToFixed(77n, 32)

/** Init code of a contract that emits a log without topics and has one byte of code. */
const logAndCode = fromHex('0x60206000a0600160005360016000f3')

/** The group of the network `flexible`. */
const flexibleGroup = new Uint8Array(32).fill(7)

/** A private transaction that makes the flexible group of the only party. */
export const flexibleCreation = (chainId: bigint): string => {
  const { to, data } = calls.add(privateFrom)
  const fields = { nonce: 0n, to, data: data, privateFrom, recipients: { privacyGroupId: flexibleGroup } }
  return toHex(signPrivate(fields, chainId, sender))
}

/** A private transaction that creates a contract and emits a log. */
export const privateCreation = (nonce: bigint, chainId: bigint): string =>
  toHex(signPrivate({ nonce, to: undefined, data: logAndCode, privateFrom, recipients }, chainId, sender))
