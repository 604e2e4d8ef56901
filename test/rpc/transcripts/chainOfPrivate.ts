import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../../src/primitives/u256.ts'
import { fromBase64 } from '../../../src/privacy/base64.ts'
import { signPrivate } from '../../support/signPrivate.ts'

/** The only party of the network `private`. */
export const privateKeyOfParty = '9RAGh3TaK6vpQ2w2sQ+fMjdSvx14tEThTTq2maEPl2A='
const privateFrom = fromBase64(privateKeyOfParty)!
const recipients = { privateFor: [privateFrom] }
/** The account that sends its private transactions. */
const sender = bigIntToFixed(77n, 32)

/** Init code of a contract that emits a log without topics and has one byte of code. */
const logAndCode = fromHex('0x60206000a0600160005360016000f3')

/** A private transaction that creates a contract and emits a log. */
export const privateCreation = (nonce: bigint, chainId: bigint): string =>
  toHex(signPrivate({ nonce, to: undefined, data: logAndCode, privateFrom, recipients }, chainId, sender))
