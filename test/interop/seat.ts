import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { curve, publicKeyToAddress } from '../../src/primitives/secp256k1.ts'

/** What a node of a test network is known by, no matter which program runs it. */
export interface Seat {
  readonly name: string
  /** Holds the private key in the file `key`. */
  readonly folder: string
  /** Private key in hexadecimal, without prefix. */
  readonly key: string
  readonly address: string
  readonly enode: string
  readonly httpPort: number
  readonly p2pPort: number
}

/** Ports that each node may use, from its HTTP port on. */
const portsPerNode = 10

/** A place for a node, the same for the same name and number. */
export function createSeat(parent: string, name: string, basePort: number, number: number): Seat {
  const privateKey = keccak256(new TextEncoder().encode(name))
  const publicKey = curve.publicKey(privateKey)
  const httpPort = basePort + portsPerNode * number
  const p2pPort = httpPort + 2
  const folder = join(parent, name)
  const key = toHex(privateKey).slice(2)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'key'), key)
  return {
    name,
    folder,
    key,
    address: toHex(publicKeyToAddress(publicKey)),
    enode: `enode://${toHex(publicKey).slice(2)}@127.0.0.1:${p2pPort}`,
    httpPort,
    p2pPort,
  }
}
