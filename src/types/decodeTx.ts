import { type Address, emptyBytes, type Hash32 } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { decodeRlp, RlpError, type RlpItem, rlpBytes, rlpList, rlpScalar } from '../primitives/rlp.ts'
import { rememberTxHash } from './encodeTx.ts'
import { TypesError } from './fault.ts'
import { type AccessList, type Authorization, type FeeMarketTx, noAccessList, type Tx } from './transaction.ts'

const fieldCounts = { 0: 9, 1: 11, 2: 12, 3: 14, 4: 13 } as const

function recipient(item: RlpItem | undefined): Address | undefined {
  const bytes = rlpBytes(item)
  if (bytes.length === 0) return undefined
  return rlpBytes(item, 20).slice() as Address
}

/** Copies the bytes, so that they do not keep the whole message alive; empty ones share one array. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? emptyBytes : bytes.slice()
}

export function accessListFromRlp(item: RlpItem | undefined): AccessList {
  const list = rlpList(item)
  if (list.length === 0) return noAccessList
  return list.map((entry) => {
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
    data: copyOf(rlpBytes(f[5])),
    v: rlpScalar(f[6]),
    r: rlpScalar(f[7]),
    s: rlpScalar(f[8]),
  }
}

function parity(item: RlpItem | undefined): number {
  const have = rlpScalar(item)
  if (have > 1n) throw new TypesError({ code: 'INVALID_Y_PARITY', have })
  return Number(have)
}

// Each is one literal, although that repeats fields: spreads take four times as long and allocate twice the memory.
function accessListTx(f: readonly RlpItem[]): Tx {
  return {
    type: 1,
    chainId: rlpScalar(f[0]),
    nonce: rlpScalar(f[1]),
    gasPrice: rlpScalar(f[2]),
    gasLimit: rlpScalar(f[3]),
    to: recipient(f[4]),
    value: rlpScalar(f[5]),
    data: copyOf(rlpBytes(f[6])),
    accessList: accessListFromRlp(f[7]),
    yParity: parity(f[8]),
    r: rlpScalar(f[9]),
    s: rlpScalar(f[10]),
  }
}

/** The fields that all fee-market types begin with; the last three items are the signature. */
function feeMarketTx(f: readonly RlpItem[]): FeeMarketTx {
  const end = f.length
  return {
    type: 2,
    chainId: rlpScalar(f[0]),
    nonce: rlpScalar(f[1]),
    maxPriorityFee: rlpScalar(f[2]),
    maxFee: rlpScalar(f[3]),
    gasLimit: rlpScalar(f[4]),
    to: recipient(f[5]),
    value: rlpScalar(f[6]),
    data: copyOf(rlpBytes(f[7])),
    accessList: accessListFromRlp(f[8]),
    yParity: parity(f[end - 3]),
    r: rlpScalar(f[end - 2]),
    s: rlpScalar(f[end - 1]),
  }
}

function typed(type: 1 | 2 | 3 | 4, f: readonly RlpItem[]): Tx {
  if (type === 1) return accessListTx(f)
  const body = feeMarketTx(f)
  if (type === 2) return body
  if (body.to === undefined) throw new TypesError({ code: 'MISSING_RECIPIENT', type })
  if (type === 4) return { ...body, type, authorizations: rlpList(f[9]).map(authorizationFromRlp) }
  const blobHashes = rlpList(f[10]).map((hash) => rlpBytes(hash, 32).slice() as Hash32)
  return { ...body, type, maxBlobFee: rlpScalar(f[9]), blobHashes }
}

/** Decodes the RLP items of a transaction of the given type. */
export function txFromRlp(type: number, item: RlpItem): Tx {
  if (!(type in fieldCounts)) throw new TypesError({ code: 'UNKNOWN_TX_TYPE', type })
  const known = type as keyof typeof fieldCounts
  const f = rlpList(item, fieldCounts[known])
  return known === 0 ? legacy(f) : typed(known, f)
}

/** Decodes a transaction of any type (EIP-2718); its hash is computed unless it is given. */
export function decodeTx(bytes: Uint8Array, hash?: Hash32): Tx {
  const first = bytes[0]
  if (first === undefined) throw new TypesError({ code: 'EMPTY_TRANSACTION' })
  // From 0xc0 on it is an RLP list: a legacy transaction. 0x80 … 0xbf starts an RLP string, which is invalid here.
  if (first >= 0x80 && first < 0xc0) throw new RlpError({ code: 'RLP_WRONG_KIND', want: 'list' })
  if (first === 0) throw new TypesError({ code: 'UNKNOWN_TX_TYPE', type: 0 })
  const tx = first >= 0xc0 ? txFromRlp(0, decodeRlp(bytes)) : txFromRlp(first, decodeRlp(bytes.subarray(1)))
  rememberTxHash(tx, hash ?? keccak256(bytes))
  return tx
}
