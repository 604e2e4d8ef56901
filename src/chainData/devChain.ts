import type { Config } from '../config/options.ts'
import { type DevAccount, type DevFork, defaultDevFork, devAccounts } from '../forks/devGenesis.ts'
import { deriveKeys } from '../primitives/hdKey.ts'
import { toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'

/** The rules and the funded accounts of the development network. */
export interface DevChain {
  readonly fork: DevFork
  readonly accounts: readonly DevAccount[]
}

/** What an operator chooses of it. */
interface DevChainOptions {
  readonly fork?: DevFork
  /** Number of accounts of the mnemonic. */
  readonly accounts?: number | undefined
  readonly mnemonic?: string | undefined
  /** In ether, of each account of the mnemonic. */
  readonly balance?: bigint | undefined
}

/** The mnemonic of Hardhat and Foundry: their users know these accounts. */
const testMnemonic = 'test test test test test test test test test test test junk'
const defaultCount = 10
const defaultBalance = 10_000n
const ether = 10n ** 18n

/**
 * A development network with Besu's three accounts and those of a mnemonic. London alone has Besu's genesis block, and
 * therefore no more accounts than Besu unless they are asked for.
 */
export function createDevChain(options: DevChainOptions = {}): DevChain {
  const { fork = defaultDevFork, accounts, mnemonic, balance } = options
  const asked = accounts !== undefined || mnemonic !== undefined || balance !== undefined
  const count = accounts ?? (fork === 'london' && !asked ? 0 : defaultCount)
  const wei = String((balance ?? defaultBalance) * ether)
  const derived = deriveKeys(mnemonic ?? testMnemonic, count).map((key) => ({
    address: toHex(privateKeyToAddress(key)).slice(2),
    privateKey: toHex(key).slice(2),
    balance: wei,
  }))
  return { fork, accounts: [...devAccounts, ...derived] }
}

/** By the command line: deriving the keys takes time, and several parts of a node ask. */
const made = new WeakMap<Config, DevChain>()

/** The development network as the command line gives it. */
export function devChainOf(config: Config): DevChain {
  const known = made.get(config)
  if (known) return known
  const chain = createDevChain({
    fork: config['dev-fork'],
    accounts: config['dev-accounts'],
    mnemonic: config['dev-mnemonic'],
    balance: config['dev-balance'],
  })
  made.set(config, chain)
  return chain
}
