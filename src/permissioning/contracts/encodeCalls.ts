import type { Enode } from '../../net/enode.ts'
import { ipToBytes } from '../../net/ip.ts'
import { type Address, concatBytes, padLeft, zeroAddress } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { toWord } from '../../primitives/u256.ts'
import type { Tx } from '../../types/transaction.ts'

// Blocks depend on these bytes in a network with Besu: they are Besu's, also where the ABI would have others.

const wordSize = 32
/** transactionAllowed(address,address,uint256,uint256,uint256,bytes) */
const transactionAllowed = fromHex('936421d5')
/** connectionAllowed(bytes32,bytes32,bytes16,uint16,bytes32,bytes32,bytes16,uint16) */
const connectionAllowed1 = fromHex('3620b1df')
/** connectionAllowed(string,string,uint16) */
const connectionAllowed2 = fromHex('45a59e5b')

/** Asks whether an account may send a transaction. */
export function encodeTransactionAllowed(tx: Tx, sender: Address): Uint8Array {
  const { to = zeroAddress, value, gasLimit, data } = tx
  // Besu passes no price of fee-market transactions.
  const gasPrice = tx.type === 0 || tx.type === 1 ? tx.gasPrice : 0n
  return concatBytes(
    transactionAllowed,
    padLeft(sender, wordSize),
    padLeft(to, wordSize),
    toWord(value),
    toWord(gasPrice),
    toWord(gasLimit),
    toWord(6n * 32n),
    toWord(BigInt(data.length)),
    data,
    // One to 32 bytes: a payload of whole words is followed by a word of zeros.
    new Uint8Array(wordSize - (data.length % wordSize)),
  )
}

/** Asks, in version 1 of the interface, whether one node may connect to another. */
export function encodeConnectionAllowed(source: Enode, destination: Enode): Uint8Array {
  return concatBytes(connectionAllowed1, ...[source, destination].flatMap(encodeNode))
}

function encodeNode({ id, ip, tcpPort }: Enode): Uint8Array[] {
  const host = new Uint8Array(wordSize)
  const bytes = ipToBytes(ip)
  if (bytes.length === 4) host.set([0xff, 0xff, ...bytes], 10)
  else host.set(bytes)
  return [id, host, toWord(BigInt(tcpPort))]
}

/** Asks, in version 2 of the interface, whether a node may have connections. */
export function encodeNodeAllowed({ id, ip, tcpPort }: Enode): Uint8Array {
  const name = encodeText(toHex(id).slice(2))
  return concatBytes(
    connectionAllowed2,
    toWord(3n * 32n),
    toWord(3n * 32n + BigInt(name.length)),
    toWord(BigInt(tcpPort)),
    name,
    encodeText(ip),
  )
}

/** The length of a text and its bytes, padded to whole words. */
function encodeText(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  return concatBytes(toWord(BigInt(bytes.length)), bytes, new Uint8Array(-bytes.length & (wordSize - 1)))
}
