import { sha256 } from '@noble/hashes/sha2.js'
import type { Evm } from '../evm/evm.ts'
import type { SystemContracts } from '../forks/systemContracts.ts'
import { type Address, concatBytes, equalBytes, type Hash32 } from '../primitives/bytes.ts'
import { hexToHash } from '../primitives/hex.ts'
import { bytesToBigInt } from '../primitives/u256.ts'
import type { Log } from '../types/log.ts'
import { BlockError } from './fault.ts'
import { askContract } from './systemCalls.ts'

const depositTopic = hexToHash('649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5')
/** Offsets of the event's five byte strings and their lengths, fixed by the deposit contract's ABI. */
const depositLayout = [
  { offset: 160, length: 48 },
  { offset: 256, length: 32 },
  { offset: 320, length: 8 },
  { offset: 384, length: 96 },
  { offset: 512, length: 8 },
] as const
const depositDataLength = 576

function word(data: Uint8Array, at: number): bigint {
  return bytesToBigInt(data.subarray(at, at + 32))
}

function depositOf({ data }: Log): Uint8Array {
  const fits =
    data.length === depositDataLength &&
    depositLayout.every(
      ({ offset, length }, i) => word(data, 32 * i) === BigInt(offset) && word(data, offset) === BigInt(length),
    )
  if (!fits) throw new BlockError({ code: 'DEPOSIT_LOG_INVALID' })
  return concatBytes(...depositLayout.map(({ offset, length }) => data.subarray(offset + 32, offset + 32 + length)))
}

function depositsIn(logs: readonly Log[], contract: Address): Uint8Array {
  const deposits = logs.filter(
    ({ address, topics }) => equalBytes(address, contract) && topics[0] && equalBytes(topics[0], depositTopic),
  )
  return concatBytes(...deposits.map(depositOf))
}

/** Execution requests of a block by type (EIP-7685): deposits, withdrawals, consolidations; empty ones left out. */
export function collectRequests(
  evm: Evm,
  logs: readonly Log[],
  contracts: SystemContracts,
  depositContract: Address | undefined,
): readonly Uint8Array[] {
  const payloads = [
    depositContract ? depositsIn(logs, depositContract) : new Uint8Array(0),
    askContract(evm, contracts, 'withdrawalRequests'),
    askContract(evm, contracts, 'consolidationRequests'),
  ]
  return payloads.flatMap((payload, type) => (payload.length ? [concatBytes(Uint8Array.of(type), payload)] : []))
}

/** What the header commits to. */
export function requestsHashOf(requests: readonly Uint8Array[]): Hash32 {
  return sha256(concatBytes(...requests.map((request) => sha256(request)))) as Hash32
}
