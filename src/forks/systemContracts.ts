import type { Address } from '../primitives/bytes.ts'
import { keyOf } from '../primitives/bytes.ts'
import { hexToAddress } from '../primitives/hex.ts'
import type { GenesisFile } from './genesisFile.ts'
import { addressMember, booleanMember, objectMember } from './jsonObject.ts'

/** Contracts that blocks call by themselves (EIP-4788, 2935, 7002, 7251). */
export interface SystemContracts {
  readonly beaconRoots: Address
  readonly history: Address
  readonly withdrawalRequests: Address
  readonly consolidationRequests: Address
}

/** Their addresses on the public network. */
export const publicSystemContracts: SystemContracts = {
  beaconRoots: hexToAddress('000f3df6d732807ef1319fb7b8bb8522d0beac02'),
  history: hexToAddress('0000f90827f1c53a10cb7a02335b175320002935'),
  withdrawalRequests: hexToAddress('00000961ef480eb55e80d19ad83579a64c007002'),
  consolidationRequests: hexToAddress('0000bbddc7ce488642fb579f8b00f3a590007251'),
}

/** Whether the genesis file names the deposit, withdrawal and consolidation contracts, as Besu 26 demands it for calls. */
export function namesSystemContracts({ config }: GenesisFile): boolean {
  const keys = ['depositContractAddress', 'withdrawalRequestContractAddress', 'consolidationRequestContractAddress']
  return keys.every((key) => addressMember(config, key) !== undefined)
}

function hasCode({ alloc }: GenesisFile, contract: Address): boolean {
  const key = keyOf(contract)
  return alloc.some(({ address, code }) => keyOf(address) === key && code.length > 0)
}

/** Contracts of requests from Prague on: those that the file names, or those of the public network. */
export function requestContractsOf({ config }: GenesisFile): SystemContracts {
  const { withdrawalRequests, consolidationRequests } = publicSystemContracts
  return {
    ...publicSystemContracts,
    withdrawalRequests: addressMember(config, 'withdrawalRequestContractAddress') ?? withdrawalRequests,
    consolidationRequests: addressMember(config, 'consolidationRequestContractAddress') ?? consolidationRequests,
  }
}

/** Whether blocks place system contracts that are missing in the first block of Prague. Only nodes of Quoin know this rule. */
export function placesSystemContracts({ config }: GenesisFile): boolean {
  const own = objectMember(config, 'quoin')
  return own !== undefined && booleanMember(own, 'placeSystemContracts', false)
}

/** Whether the file has what Besu up to 25.12 calls under rules: the contract of Cancun, or those of requests. */
export function hasSystemContracts(
  genesis: GenesisFile,
  { beaconRoot, requests }: { readonly beaconRoot: boolean; readonly requests: boolean },
): boolean {
  const { beaconRoots, withdrawalRequests, consolidationRequests } = requestContractsOf(genesis)
  const hasRequests = () => hasCode(genesis, withdrawalRequests) && hasCode(genesis, consolidationRequests)
  return (beaconRoot && hasCode(genesis, beaconRoots)) || (requests && hasRequests())
}

/**
 * What blocks call from Cancun on; undefined if they call nothing. Networks of authorities call only where the file names all three
 * contracts of Prague, also for that of Cancun, as in Besu since 26.1, or where `quoin` says so. Placing them says so from Prague on: a
 * network may be at Cancun when its nodes take that rule, one after the other.
 */
export function calledContractsOf(
  genesis: GenesisFile,
  isAuthority: boolean,
  isPrague: boolean,
): SystemContracts | undefined {
  const contracts = requestContractsOf(genesis)
  if (!isAuthority || namesSystemContracts(genesis)) return contracts
  if (isPrague && placesSystemContracts(genesis)) return contracts
  const own = objectMember(genesis.config, 'quoin')
  return own && booleanMember(own, 'systemCalls', false) ? contracts : undefined
}
