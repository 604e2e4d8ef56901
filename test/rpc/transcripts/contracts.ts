import { fromHex } from '../../../src/primitives/hex.ts'

/** Init code that deploys a runtime of up to 255 bytes. */
function deploying(runtime: string): Uint8Array {
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  return fromHex(`60${size}600c60003960${size}6000f3${runtime}`)
}

/** Stores the second word of its call data in the slot that the first names, logs and returns it; topics: slot, caller. */
const storing = '602035600035556020356000523360003560206000a260206000f3'
/** Gives its call data to another contract and returns the first word of the answer. */
const forwardingTo = (address: string) => `36600060003760206000366000600073${address}5af15060206000f3`
/** Reverts with the text "no". */
const reverting = [
  `7f08c379a0${'00'.repeat(28)}600052`,
  '6020600452',
  '6002602452',
  `7f6e6f${'00'.repeat(30)}604452`,
  '60646000fd',
].join('')
/** Destroys itself in favour of its caller. */
const vanishing = '33ff'

export const initCodes = {
  storing: deploying(storing),
  forwardingTo: (address: string) => deploying(forwardingTo(address)),
  reverting: deploying(reverting),
  vanishing: deploying(vanishing),
}

/** Call data of 32-byte words. */
export function words(...values: readonly number[]): Uint8Array {
  return fromHex(values.map((value) => value.toString(16).padStart(64, '0')).join(''))
}
