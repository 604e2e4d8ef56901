import { Fault } from '../primitives/fault.ts'
import { decodeRlp, rlpBytes } from '../primitives/rlp.ts'
import { decodeNetworkTx, type NetworkTx } from '../types/blobSidecar.ts'
import { recoveryInput } from '../types/signTx.ts'

/**
 * A signed transaction as users send it; one of a newer type may come wrapped as an RLP string, as it stands in blocks.
 * Undefined for bytes that are none, and for numbers that no signature has.
 */
export function decodeRawTx(bytes: Uint8Array): NetworkTx | undefined {
  try {
    const first = bytes[0]
    const wrapped = first !== undefined && first >= 0x80 && first < 0xc0
    const network = decodeNetworkTx(wrapped ? rlpBytes(decodeRlp(bytes)) : bytes)
    return recoveryInput(network.tx) ? network : undefined
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
