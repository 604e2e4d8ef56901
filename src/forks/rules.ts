import type { PlacedContract } from './systemAccounts.ts'
import { publicSystemContracts, type SystemContracts } from './systemContracts.ts'
import { type ForkName, forkIndex, forks } from './table.ts'

/** Blob schedule of a fork (EIP-4844, 7691, 7840, 7892). */
export interface BlobRules {
  readonly target: number
  readonly max: number
  readonly updateFraction: bigint
  /** Whether blobs cost nothing, as in networks whose base fee is zero or fixed. */
  readonly isFree?: boolean
}

/** The rules of one fork: a frozen object, built as a delta from the fork before. */
export interface Rules {
  readonly fork: ForkName
  /** Position of the fork in time; `rules.index >= forkIndex('berlin')` is what "since Berlin" means. */
  readonly index: number

  // Transactions
  readonly maxTxType: 0 | 1 | 2 | 3 | 4
  /** A signature's s must be in the lower half. */
  readonly lowS: boolean
  /** Signatures may carry the chain id (EIP-155). */
  readonly replayProtection: boolean
  readonly txCreateGas: bigint
  readonly dataGas: bigint
  /** Gas per 32 bytes of init code; 0: free and without a size limit. */
  readonly initCodeWordGas: bigint
  /** Minimum gas per token of data (EIP-7623); 0: no minimum. */
  readonly floorTokenGas: bigint
  /** Refunds are at most gasUsed divided by this. */
  readonly refundQuotient: bigint
  /** Maximum gas limit of one transaction; undefined: only the block's limit applies. */
  readonly txGasCap: bigint | undefined
  /** Maximum number of blobs of one transaction; undefined: only the block's limit applies. */
  readonly txBlobCap: number | undefined
  /** A sender may have code, which EIP-3607 forbids. */
  readonly contractsMaySend: boolean

  // Blocks
  readonly blockReward: bigint
  /** Blocks by which the difficulty bomb is delayed. */
  readonly bombDelay: bigint
  readonly difficulty: 'frontier' | 'homestead' | 'byzantium' | 'none'
  readonly baseFee: boolean
  /** Touched empty accounts are removed (EIP-161). */
  readonly clearsEmptyAccounts: boolean
  readonly receiptStatus: boolean
  readonly proofOfStake: boolean
  readonly withdrawals: boolean
  readonly blobs: BlobRules | undefined
  /** The blob fee has a minimum in proportion to the base fee (EIP-7918). */
  readonly blobReservePrice: boolean
  readonly beaconRoot: boolean
  /** The history contract and execution requests. */
  readonly requests: boolean
  /** What blocks call by themselves; undefined if they call nothing. */
  readonly systemContracts: SystemContracts | undefined
  /** Those of them that a block places if they are missing; only where the genesis file says so. */
  readonly placedContracts: readonly PlacedContract[]
  /** Maximum size of a block's RLP in bytes; undefined: no limit. */
  readonly maxBlockSize: number | undefined

  // Contracts
  readonly maxCodeSize: number
  readonly stackSize: number
}

type Delta = Partial<Omit<Rules, 'fork' | 'index'>>

const frontier: Omit<Rules, 'fork' | 'index'> = {
  maxTxType: 0,
  lowS: false,
  replayProtection: false,
  txCreateGas: 21_000n,
  dataGas: 68n,
  initCodeWordGas: 0n,
  floorTokenGas: 0n,
  refundQuotient: 2n,
  txGasCap: undefined,
  txBlobCap: undefined,
  contractsMaySend: false,
  blockReward: 5_000_000_000_000_000_000n,
  bombDelay: 0n,
  difficulty: 'frontier',
  baseFee: false,
  clearsEmptyAccounts: false,
  receiptStatus: false,
  proofOfStake: false,
  withdrawals: false,
  blobs: undefined,
  blobReservePrice: false,
  beaconRoot: false,
  requests: false,
  systemContracts: undefined,
  placedContracts: [],
  maxBlockSize: undefined,
  maxCodeSize: Number.MAX_SAFE_INTEGER,
  stackSize: 1024,
}

const deltas: Record<ForkName, Delta> = {
  frontier: {},
  homestead: { lowS: true, txCreateGas: 53_000n, difficulty: 'homestead' },
  dao: {},
  tangerineWhistle: {},
  spuriousDragon: { replayProtection: true, clearsEmptyAccounts: true, maxCodeSize: 24_576 },
  byzantium: {
    blockReward: 3_000_000_000_000_000_000n,
    bombDelay: 3_000_000n,
    difficulty: 'byzantium',
    receiptStatus: true,
  },
  constantinople: { blockReward: 2_000_000_000_000_000_000n, bombDelay: 5_000_000n },
  petersburg: {},
  istanbul: { dataGas: 16n },
  muirGlacier: { bombDelay: 9_000_000n },
  berlin: { maxTxType: 1 },
  london: { maxTxType: 2, refundQuotient: 5n, baseFee: true, bombDelay: 9_700_000n },
  arrowGlacier: { bombDelay: 10_700_000n },
  grayGlacier: { bombDelay: 11_400_000n },
  paris: { difficulty: 'none', blockReward: 0n, proofOfStake: true },
  shanghai: { initCodeWordGas: 2n, withdrawals: true },
  cancun: {
    maxTxType: 3,
    beaconRoot: true,
    systemContracts: publicSystemContracts,
    blobs: { target: 3, max: 6, updateFraction: 3_338_477n },
  },
  prague: {
    maxTxType: 4,
    floorTokenGas: 10n,
    requests: true,
    blobs: { target: 6, max: 9, updateFraction: 5_007_716n },
  },
  osaka: { txGasCap: 16_777_216n, txBlobCap: 6, blobReservePrice: true, maxBlockSize: 8_388_608 },
}

function buildAll(): ReadonlyMap<ForkName, Rules> {
  const all = new Map<ForkName, Rules>()
  let current = frontier
  for (const { name } of forks) {
    current = { ...current, ...deltas[name] }
    all.set(name, Object.freeze({ ...current, fork: name, index: forkIndex(name) }))
  }
  return all
}

const byFork = buildAll()

/** Returns the rules of a fork on the public network. */
export function rulesOf(fork: ForkName): Rules {
  return byFork.get(fork)!
}

/** Returns whether `fork` is active. */
export function since(rules: Rules, fork: ForkName): boolean {
  return rules.index >= forkIndex(fork)
}
