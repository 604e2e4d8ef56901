import { rulesOf } from '../../src/forks/rules.ts'
import type { ForkName } from '../../src/forks/table.ts'
import { createPool } from '../../src/pool/createPool.ts'
import { defaultPoolOptions, type PoolLimits, type PoolOptions } from '../../src/pool/options.ts'
import type { Origin, Pool, PoolEvent } from '../../src/pool/pool.ts'
import type { MiningSettings, PoolAccount, PoolHead, PoolPorts } from '../../src/pool/ports.ts'
import { type Address, emptyBytes, keyOf } from '../../src/primitives/bytes.ts'
import { emptyCodeHash } from '../../src/primitives/keccak.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { rememberSender } from '../../src/types/signTx.ts'
import { type FeeMarketTx, type LegacyTx, noAccessList, type Tx } from '../../src/types/transaction.ts'

export const chainId = 1337n
export const ether = 10n ** 18n
export const gwei = 10n ** 9n

/** An address for a small number. */
export function account(n: number): Address {
  return bigIntToFixed(BigInt(n) + 0x1000n, 20) as Address
}

let signatures = 0n

/** Marks a transaction as sent by an account, without the labour of signing it. */
export function sentBy<T extends Tx>(sender: Address, tx: T): T {
  rememberSender(tx, sender)
  return tx
}

/** A transfer by gas price; each call makes another hash. */
export function transfer(from: number, nonce: number, gasPrice: bigint, more: Partial<LegacyTx> = {}): LegacyTx {
  return sentBy(account(from), {
    type: 0,
    nonce: BigInt(nonce),
    gasPrice,
    gasLimit: 21_000n,
    to: account(999),
    value: 0n,
    data: emptyBytes,
    v: 35n + 2n * chainId,
    r: ++signatures,
    s: 1n,
    ...more,
  })
}

/** A transfer by fee market; each call makes another hash. */
export function feeMarketTransfer(
  from: number,
  nonce: number,
  fees: { maxFee: bigint; maxPriorityFee: bigint },
  more: Partial<FeeMarketTx> = {},
): FeeMarketTx {
  return sentBy(account(from), {
    type: 2,
    chainId,
    nonce: BigInt(nonce),
    ...fees,
    gasLimit: 21_000n,
    to: account(999),
    value: 0n,
    data: emptyBytes,
    accessList: noAccessList,
    yParity: 0,
    r: ++signatures,
    s: 1n,
    ...more,
  })
}

/** A chain that tests move by hand: every account has 1,000 ether and nonce 0 until told otherwise. */
export interface PoolWorld {
  readonly pool: Pool
  readonly events: PoolEvent[]
  head: PoolHead
  mining: MiningSettings
  setAccount(address: Address, change: Partial<PoolAccount>): void
  nonceOf(address: Address): bigint
  /** Puts a transaction in as if a peer had sent it. */
  add(tx: Tx, origin?: Partial<Origin>): string
}

export interface WorldOptions {
  readonly fork?: ForkName
  readonly baseFee?: bigint
  readonly limits?: Partial<PoolLimits>
  readonly options?: Partial<PoolOptions>
  readonly ports?: Partial<PoolPorts>
}

export function createWorld({ fork = 'london', baseFee, limits, options, ports }: WorldOptions = {}): PoolWorld {
  const accounts = new Map<string, PoolAccount>()
  const codes = new Map<string, Uint8Array>()
  const accountAt = (address: Address): PoolAccount =>
    accounts.get(keyOf(address)) ?? { nonce: 0n, balance: 1000n * ether, codeHash: emptyCodeHash }
  const events: PoolEvent[] = []
  const world: Omit<PoolWorld, 'pool' | 'add'> = {
    events,
    head: {
      chainId,
      rules: rulesOf(fork),
      baseFee,
      blobBaseFee: 1n,
      gasLimit: 30_000_000n,
      account: accountAt,
      code: (hash) => codes.get(keyOf(hash)) ?? emptyBytes,
    },
    mining: { enabled: true, minGasPrice: 0n },
    setAccount: (address, change) => accounts.set(keyOf(address), { ...accountAt(address), ...change }),
    nonceOf: (address) => accountAt(address).nonce,
  }
  const pool = createPool(
    { ...defaultPoolOptions, ...options, limits: { ...defaultPoolOptions.limits, ...limits } },
    { head: () => world.head, mining: () => world.mining, ...ports },
  )
  pool.subscribe((event) => events.push(event))
  return Object.assign(world, {
    pool,
    add: (tx: Tx, origin: Partial<Origin> = {}) => pool.add(tx, { local: false, now: 0, ...origin })?.code ?? 'added',
  })
}
