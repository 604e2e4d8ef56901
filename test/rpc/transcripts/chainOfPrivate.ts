import { fromHex, toHex } from '../../../src/primitives/hex.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { bigIntToFixed, bytesToBigInt } from '../../../src/primitives/u256.ts'
import { fromBase64 } from '../../../src/privacy/base64.ts'
import { encodePrivateTx, type PrivateTx, privateSigningHash } from '../../../src/privacy/privateTx.ts'

/** The only party of the network `private`. */
export const privateKeyOfParty = '9RAGh3TaK6vpQ2w2sQ+fMjdSvx14tEThTTq2maEPl2A='
/** The account that sends its private transactions. */
const sender = bigIntToFixed(77n, 32)

/** Init code of a contract that emits a log without topics and has one byte of code. */
const logAndCode = fromHex('0x60206000a0600160005360016000f3')

function sign(fields: Pick<PrivateTx, 'nonce' | 'to' | 'data'>, chainId: bigint): string {
  const privateFrom = fromBase64(privateKeyOfParty)!
  const recipients = { privateFor: [privateFrom] }
  const tx = {
    gasPrice: 0n,
    gasLimit: 100_000n,
    value: 0n,
    privateFrom,
    recipients,
    restriction: 'restricted',
    ...fields,
  }
  const { rs, parity } = curve.sign(privateSigningHash({ ...tx, v: 35n + 2n * chainId }), sender)
  const v = 35n + 2n * chainId + BigInt(parity)
  return toHex(encodePrivateTx({ ...tx, v, r: bytesToBigInt(rs.subarray(0, 32)), s: bytesToBigInt(rs.subarray(32)) }))
}

/** A private transaction that creates a contract and emits a log. */
export const privateCreation = (nonce: bigint, chainId: bigint): string =>
  sign({ nonce, to: undefined, data: logAndCode }, chainId)
