import type { Address } from '../primitives/bytes.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import type { Tx } from '../types/transaction.ts'
import { publicSystemContracts, type SystemContracts } from './systemContracts.ts'
import { type ForkName, forkIndex } from './table.ts'

interface SystemAccount {
  readonly name: keyof SystemContracts
  readonly since: ForkName
  readonly code: string
  /** What the transaction that made the contract of the public network runs before its code, and the end of its signature. */
  readonly init: string
  readonly s: string
}

/** Sets the first slot to 2^256 − 1, as long as no block has called the contract. */
const inhibit = '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff5f55'

/** Contracts that the blocks of a fork call, with the code of the public network. */
const contracts: readonly SystemAccount[] = [
  // EIP-4788.
  {
    since: 'cancun',
    name: 'beaconRoots',
    init: '60618060095f395ff3',
    s: '1b9b6eb1f0',
    code:
      '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff' +
      '810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff0155' +
      '00',
  },
  // EIP-2935.
  {
    since: 'prague',
    name: 'history',
    init: '60538060095f395ff3',
    s: 'aa12693182426612186309f02cfe8a80a0000',
    code:
      '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81' +
      '430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  },
  // EIP-7002.
  {
    since: 'prague',
    name: 'withdrawalRequests',
    init: `${inhibit}6101f880602d5f395ff3`,
    s: '5feeb084551e4e03a3581e269bc2ea2f8d0008',
    code:
      '0x3373fffffffffffffffffffffffffffffffffffffffe1460cb5760115f54807fffffffffffffffffffffffffffffffff' +
      'ffffffffffffffffffffffffffffffff146101f457600182026001905f5b5f8211156068578101908302848302900491' +
      '6001019190604d565b909390049250505036603814608857366101f457346101f4575f5260205ff35b34106101f45760' +
      '0154600101600155600354806003026004013381556001015f35815560010160203590553360601b5f5260385f601437' +
      '604c5fa0600101600355005b6003546002548082038060101160df575060105b5f5b8181146101835782810160030260' +
      '040181604c02815460601b8152601401816001015481526020019060020154807fffffffffffffffffffffffffffffff' +
      'ff00000000000000000000000000000000168252906010019060401c908160381c81600701538160301c816006015381' +
      '60281c81600501538160201c81600401538160181c81600301538160101c81600201538160081c816001015353600101' +
      '60e1565b910180921461019557906002556101a0565b90505f6002555f6003555b5f54807fffffffffffffffffffffff' +
      'ffffffffffffffffffffffffffffffffffffffffff14156101cd57505f5b6001546002828201116101e25750505f6101' +
      'e8565b01600290035b5f555f600155604c025ff35b5f5ffd',
  },
  // EIP-7251.
  {
    since: 'prague',
    name: 'consolidationRequests',
    init: `${inhibit}61019e80602d5f395ff3`,
    s: 'c0730f92dc275b663d377a7cbb141b6600052',
    code:
      '0x3373fffffffffffffffffffffffffffffffffffffffe1460d35760115f54807fffffffffffffffffffffffffffffffff' +
      'ffffffffffffffffffffffffffffffff1461019a57600182026001905f5b5f8211156068578101908302848302900491' +
      '6001019190604d565b9093900492505050366060146088573661019a573461019a575f5260205ff35b341061019a5760' +
      '0154600101600155600354806004026004013381556001015f358155600101602035815560010160403590553360601b' +
      '5f5260605f60143760745fa0600101600355005b6003546002548082038060021160e7575060025b5f5b818114610129' +
      '5782810160040260040181607402815460601b8152601401816001015481526020018160020154815260200190600301' +
      '54905260010160e9565b910180921461013b5790600255610146565b90505f6002555f6003555b5f54807fffffffffff' +
      'ffffffffffffffffffffffffffffffffffffffffffffffffffffff141561017357505f5b600154600182820111610188' +
      '5750505f61018e565b01600190035b5f555f6001556074025ff35b5f5ffd',
  },
]

/**
 * The accounts that a network needs in its genesis file if the fork is active from the first block: where a contract for
 * requests (EIP-7002, 7251) has no code, blocks are invalid.
 */
export function systemAccounts(fork: ForkName): Record<string, { nonce: string; balance: string; code: string }> {
  return Object.fromEntries(
    contractsUpTo(fork).map(({ name, code }) => [
      toHex(publicSystemContracts[name]).slice(2),
      { nonce: '0x1', balance: '0x0', code },
    ]),
  )
}

const contractsUpTo = (fork: ForkName) => contracts.filter(({ since }) => forkIndex(fork) >= forkIndex(since))

/** A contract that is placed where the first block that calls it finds none. */
export interface PlacedContract {
  readonly address: Address
  readonly code: Uint8Array
}

/** What the blocks of a fork call, with its code. */
export function placedContracts(fork: ForkName, addresses: SystemContracts): readonly PlacedContract[] {
  return contractsUpTo(fork).map(({ name, code }) => ({ address: addresses[name], code: fromHex(code) }))
}

/** Gas and its price in the transactions that made the contracts of the public network. */
const makerGas = 250_000n
const makerGasPrice = 1_000_000_000_000n

/** Balance that the sender of such a transaction must have. */
export const makerCost = makerGas * makerGasPrice

/**
 * The transaction that makes a system contract at its address, on any network: nobody has the key of its sender. It runs from Shanghai
 * on, and has no chain id.
 */
export function makerOf(contract: keyof SystemContracts): Tx {
  const { init, code, s } = contracts.find(({ name }) => name === contract)!
  return {
    type: 0,
    nonce: 0n,
    gasPrice: makerGasPrice,
    gasLimit: makerGas,
    to: undefined,
    value: 0n,
    data: fromHex(`0x${init}${code.slice(2)}`),
    v: 27n,
    r: 0x539n,
    s: BigInt(`0x${s}`),
  }
}

/** The deposit contract of the public network; where nothing is at this address, nobody deposits. */
const depositContract = '0x00000000219ab540356cbb839cbe05303d7705fa'

/** The keys of `config` that name these contracts: Besu since 26.1 calls them, and that of Cancun, only where all three are there. */
export function systemAccountKeys(fork: ForkName): Record<string, string> {
  if (forkIndex(fork) < forkIndex('cancun')) return {}
  return {
    depositContractAddress: depositContract,
    withdrawalRequestContractAddress: toHex(publicSystemContracts.withdrawalRequests),
    consolidationRequestContractAddress: toHex(publicSystemContracts.consolidationRequests),
  }
}
