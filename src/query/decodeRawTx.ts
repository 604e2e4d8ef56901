import { Fault } from '../primitives/fault.ts'
import { decodeRlp, rlpBytes } from '../primitives/rlp.ts'
import { decodeNetworkTx, type NetworkTx } from '../types/blobSidecar.ts'
import { rememberTxBytes } from '../types/encodeTx.ts'
import { isSigned } from '../types/signTx.ts'

/**
 * A signed transaction as users send it; one of a newer type may come wrapped as an RLP string, as it stands in blocks.
 * Undefined for bytes that are none, and for numbers that no signature has. The bytes are kept.
 */
export function decodeRawTx(bytes: Uint8Array): NetworkTx | undefined {
  try {
    const first = bytes[0]
    const wrapped = first !== undefined && first >= 0x80 && first < 0xc0
    const own = wrapped ? rlpBytes(decodeRlp(bytes)) : bytes
    const network = decodeNetworkTx(own)
    if (!network.sidecar) rememberTxBytes(network.tx, own)
    return isSigned(network.tx) ? network : undefined
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
