import { qbftCodec } from '../../../src/consensus/qbft/qbftCodec.ts'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { publicSystemContracts } from '../../../src/forks/systemContracts.ts'
import type { Address } from '../../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { blobHashOf, encodeNetworkTx } from '../../../src/types/blobSidecar.ts'
import { signAuthorization, signTx } from '../../../src/types/signTx.ts'
import type { UnsignedTx } from '../../../src/types/transaction.ts'
import { type Authority, bftGenesis } from '../../support/authorityChain.ts'
import { sidecarOf } from '../../support/blobs.ts'

const chainId = 4242n
const gwei = 1_000_000_000n
const key = fromHex(devAccounts[0].privateKey)
/** An account whose code is that of the contract it points to (EIP-7702). */
const delegatorKey = new Uint8Array(32).fill(0x77)
const alice = hexToAddress('a11ce00000000000000000000000000000000000')
/** Stores 1 in slot 0, in the genesis file. */
const oneStorer = hexToAddress('00000000000000000000000000000000000c0de1')

/** A network of one QBFT validator with all forks up to Prague, and one to come. */
export function pragueGenesis(validator: Authority, timestamp: number): object {
  const genesis = bftGenesis(
    qbftCodec,
    [validator],
    {
      chainId: Number(chainId),
      londonBlock: 0,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: 0,
      osakaTime: 4_000_000_000,
      quoin: { systemCalls: true },
      qbft: { blockPeriodSeconds: 1, requestTimeoutSeconds: 4 },
    },
    {
      [devAccounts[0].address]: { balance: '0xde0b6b3a7640000' },
      [toHex(oneStorer).slice(2)]: { balance: '0x0', code: '0x6001600055' },
      // Contracts that have to be there, and ask for nothing.
      [toHex(publicSystemContracts.withdrawalRequests).slice(2)]: { balance: '0x0', code: '0x00' },
      [toHex(publicSystemContracts.consolidationRequests).slice(2)]: { balance: '0x0', code: '0x00' },
    },
  )
  return { ...genesis, timestamp: `0x${timestamp.toString(16)}`, gasLimit: '0x200000', baseFeePerGas: '0x3b9aca00' }
}

const common = (to: Address, nonce: bigint) => ({
  chainId,
  nonce,
  to,
  value: 0n,
  data: new Uint8Array(0),
  gasLimit: 100_000n,
  maxFee: 5n * gwei,
  maxPriorityFee: gwei,
  accessList: [],
})

function blobTx(nonce: bigint): string {
  const sidecar = sidecarOf(0)
  const blobHashes = sidecar.commitments.map(blobHashOf)
  const unsigned: UnsignedTx = { type: 3, ...common(alice, nonce), maxBlobFee: gwei, blobHashes }
  return toHex(encodeNetworkTx(signTx(unsigned, key), sidecar))
}

function setCodeTx(nonce: bigint): string {
  const authorizations = [signAuthorization({ chainId, address: oneStorer, nonce: 0n }, delegatorKey)]
  const unsigned: UnsignedTx = { type: 4, ...common(privateKeyToAddress(delegatorKey), nonce), authorizations }
  return toHex(encodeNetworkTx(signTx(unsigned, key), undefined))
}

function plainTx(nonce: bigint, maxPriorityFee: bigint, gasLimit: bigint, data: Uint8Array): string {
  const unsigned: UnsignedTx = { type: 2, ...common(alice, nonce), maxPriorityFee, gasLimit, data }
  return toHex(encodeNetworkTx(signTx(unsigned, key), undefined))
}

/** Transactions of each block: blobs; a delegation; much data, so that the base fee rises; nothing. */
export const pragueBlocks: readonly (readonly string[])[] = [
  [blobTx(0n)],
  [setCodeTx(1n)],
  [plainTx(2n, gwei, 1_500_000n, new Uint8Array(30_000).fill(1)), plainTx(3n, 2n * gwei, 30_000n, new Uint8Array(2))],
  [],
]
