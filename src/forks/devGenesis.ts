import { systemAccounts } from './systemAccounts.ts'
import { type ForkName, forkIndex, forks } from './table.ts'

/** A funded account of the development network, in hexadecimal without 0x. */
export interface DevAccount {
  readonly address: string
  readonly privateKey: string
  /** Wei, as in a genesis file. */
  readonly balance: string
}

/** The accounts that every development network funds. Their keys are public: never use them on a real network. */
export const devAccounts = [
  {
    address: 'fe3b557e8fb62b89f4916b721be55ceb828dbd73',
    privateKey: '8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63',
    balance: '0xad78ebc5ac6200000',
  },
  {
    address: '627306090abab3a6e1400e9345bc60c78a8bef57',
    privateKey: 'c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3',
    balance: '90000000000000000000000',
  },
  {
    address: 'f17f52151ebef6c7334fad080c5704d77216b732',
    privateKey: 'ae6ae8e5ccbfb04590405997ee2d52d2b330726137b875053c36d94e974d162f',
    balance: '90000000000000000000000',
  },
] as const satisfies readonly DevAccount[]

/** Network id of the development network; its chain id is 1337. */
export const devNetworkId = 2018n

/** Forks whose rules a development network can have, oldest first. */
export const devForks = [
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const satisfies readonly ForkName[]
export type DevFork = (typeof devForks)[number]

/** The fork of the public network today. */
export const defaultDevFork = 'prague'

/** Members of a genesis file's `config` that activate the rules of a fork from the first block. */
export function forksFromGenesis(fork: DevFork): Record<string, number> {
  const first = Math.min(devForks.indexOf(fork), devForks.indexOf('london'))
  const active = devForks.slice(first, devForks.indexOf(fork) + 1)
  return Object.fromEntries(active.map((name) => [forks[forkIndex(name)]!.key, 0]))
}

/** The development network's genesis file. With London it is what Besu's `--network=dev` starts from. */
export function createDevGenesis(fork: DevFork, accounts: readonly DevAccount[] = devAccounts) {
  const merged = forkIndex(fork) >= forkIndex('paris')
  return {
    config: {
      chainId: 1337,
      ...forksFromGenesis(fork),
      contractSizeLimit: 2147483647,
      ...(merged ? { terminalTotalDifficulty: 0 } : { ethash: { fixeddifficulty: 100 } }),
    },
    nonce: merged ? '0x0' : '0x42',
    timestamp: '0x0',
    extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
    gasLimit: '0x1fffffffffffff',
    difficulty: merged ? '0x0' : '0x10000',
    ...(forkIndex(fork) >= forkIndex('london') && { baseFeePerGas: '0x0' }),
    mixHash: '0x0000000000000000000000000000000000000000000000000000000000000000',
    coinbase: '0x0000000000000000000000000000000000000000',
    alloc: {
      ...systemAccounts(fork),
      ...Object.fromEntries(accounts.map(({ address, balance }) => [address, { balance }])),
    },
  }
}
