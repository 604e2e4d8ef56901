import type { Address, Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, RlpError, type RlpItem, rlpBytes, rlpList, rlpScalar } from '../primitives/rlp.ts'
import { rememberTxHash } from './encodeTx.ts'
import { TypesError } from './fault.ts'
import type { AccessList, Authorization, Tx } from './transaction.ts'

const fieldCounts = { 0: 9, 1: 11, 2: 12, 3: 14, 4: 13 } as const

function recipient(item: RlpItem | undefined): Address | undefined {
  const bytes = rlpBytes(item)
  if (bytes.length === 0) return undefined
  return rlpBytes(item, 20).slice() as Address
}

export function accessListFromRlp(item: RlpItem | undefined): AccessList {
  return rlpList(item).map((entry) => {
    const [address, slots] = rlpList(entry, 2)
    return {
      address: rlpBytes(address, 20).slice() as Address,
      slots: rlpList(slots).map((slot) => rlpBytes(slot, 32).slice() as Hash32),
    }
  })
}

function authorizationFromRlp(item: RlpItem): Authorization {
  const [chainId, address, nonce, yParity, r, s] = rlpList(item, 6)
  return {
    chainId: rlpScalar(chainId),
    address: rlpBytes(address, 20).slice() as Address,
    nonce: rlpScalar(nonce, 64),
    yParity: rlpScalar(yParity, 8),
    r: rlpScalar(r),
    s: rlpScalar(s),
  }
}

function legacy(f: readonly RlpItem[]): Tx {
  return {
    type: 0,
    nonce: rlpScalar(f[0]),
    gasPrice: rlpScalar(f[1]),
    gasLimit: rlpScalar(f[2]),
    to: recipient(f[3]),
    value: rlpScalar(f[4]),
    data: rlpBytes(f[5]).slice(),
    v: rlpScalar(f[6]),
    r: rlpScalar(f[7]),
    s: rlpScalar(f[8]),
  }
}

/** The last three items, which every typed transaction ends with. */
function signature(f: readonly RlpItem[]) {
  const n = f.length
  const yParity = rlpScalar(f[n - 3])
  if (yParity > 1n) throw new TypesError({ code: 'INVALID_Y_PARITY', have: yParity })
  return { yParity: Number(yParity), r: rlpScalar(f[n - 2]), s: rlpScalar(f[n - 1]) }
}

/** Fields from the gas limit to the access list, which follow the prices in every typed transaction. */
function target(f: readonly RlpItem[], at: number) {
  return {
    gasLimit: rlpScalar(f[at]),
    to: recipient(f[at + 1]),
    value: rlpScalar(f[at + 2]),
    data: rlpBytes(f[at + 3]).slice(),
    accessList: accessListFromRlp(f[at + 4]),
  }
}

function typed(type: 1 | 2 | 3 | 4, f: readonly RlpItem[]): Tx {
  const start = { chainId: rlpScalar(f[0]), nonce: rlpScalar(f[1]) }
  if (type === 1) return { type, ...start, gasPrice: rlpScalar(f[2]), ...target(f, 3), ...signature(f) }
  const fees = { maxPriorityFee: rlpScalar(f[2]), maxFee: rlpScalar(f[3]) }
  const body = { ...start, ...fees, ...target(f, 4), ...signature(f) }
  if (type === 2) return { type, ...body }
  if (body.to === undefined) throw new TypesError({ code: 'MISSING_RECIPIENT', type })
  if (type === 4) return { type, ...body, authorizations: rlpList(f[9]).map(authorizationFromRlp) }
  const blobHashes = rlpList(f[10]).map((hash) => rlpBytes(hash, 32).slice() as Hash32)
  return { type, ...body, maxBlobFee: rlpScalar(f[9]), blobHashes }
}

/** Reads the items of a transaction of a known type. */
export function txFromRlp(type: number, item: RlpItem): Tx {
  if (!(type in fieldCounts)) throw new TypesError({ code: 'UNKNOWN_TX_TYPE', type })
  const known = type as keyof typeof fieldCounts
  const f = rlpList(item, fieldCounts[known])
  return known === 0 ? legacy(f) : typed(known, f)
}

/** Reads a transaction's own bytes, of whatever type. */
export function decodeTx(bytes: Uint8Array): Tx {
  const first = bytes[0]
  if (first === undefined) throw new TypesError({ code: 'EMPTY_TRANSACTION' })
  // From 0xc0 on it is an RLP list: a legacy transaction. 0x80 … 0xbf would be an RLP string and is no transaction.
  if (first >= 0x80 && first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  if (first === 0) throw new TypesError({ code: 'UNKNOWN_TX_TYPE', type: 0 })
  const tx = first >= 0xc0 ? txFromRlp(0, decodeRlp(bytes)) : txFromRlp(first, decodeRlp(bytes.subarray(1)))
  rememberTxHash(tx, keccak256(bytes))
  return tx
}
