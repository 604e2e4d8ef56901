import { type Address, concatBytes, toAddress } from '../../primitives/bytes.ts'
import { ExtraDataError } from '../fault.ts'
import { sealLength } from '../recoverSeal.ts'
import { vanityLength } from '../vanity.ts'

/** Extra data of a Clique header: its parts concatenated, without RLP. */
export interface CliqueExtraData {
  /** 32 bytes without meaning to the protocol. */
  readonly vanity: Uint8Array
  /** Empty except in epoch blocks. */
  readonly signers: readonly Address[]
  /** 65 bytes; zeros if the block is not sealed. */
  readonly seal: Uint8Array
}

const addressLength = 20

export function encodeCliqueExtraData({ vanity, signers, seal }: CliqueExtraData): Uint8Array {
  return concatBytes(vanity, ...signers, seal)
}

/** Extra data with zeros in place of the seal. */
export function unsealedExtraData(vanity: Uint8Array, signers: readonly Address[]): Uint8Array {
  return encodeCliqueExtraData({ vanity, signers, seal: new Uint8Array(sealLength) })
}

/** Extra data of a genesis block with these signers. */
export function cliqueGenesisExtraData(signers: readonly Address[]): Uint8Array {
  return unsealedExtraData(new Uint8Array(vanityLength), signers)
}

export function decodeCliqueExtraData(bytes: Uint8Array): CliqueExtraData {
  const end = bytes.length - sealLength
  if (end < vanityLength || (end - vanityLength) % addressLength !== 0)
    throw new ExtraDataError({ code: 'EXTRA_DATA_LENGTH', have: bytes.length })
  const signers: Address[] = []
  for (let at = vanityLength; at < end; at += addressLength)
    signers.push(toAddress(bytes.slice(at, at + addressLength)))
  return { vanity: bytes.slice(0, vanityLength), signers, seal: bytes.slice(end) }
}
