import { describe, expect, test } from 'vitest'
import {
  account,
  chainId,
  createWorld,
  ether,
  feeMarketTransfer,
  gwei,
  sentBy,
  transfer,
} from '../../test/support/poolFixtures.ts'
import { zeroAddress } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { curveOrder } from '../primitives/secp256k1.ts'
import { maxU64, maxU256 } from '../primitives/u256.ts'
import { type BlobSidecar, blobHashOf, blobSize, cellsPerBlob } from '../types/blobSidecar.ts'
import { encodeTx } from '../types/encodeTx.ts'
import type { BlobTx, SetCodeTx, Tx } from '../types/transaction.ts'

const fees = { maxFee: 20n * gwei, maxPriorityFee: gwei }

describe('prices', () => {
  test('a known transaction is refused', () => {
    const world = createWorld()
    const tx = transfer(1, 0, gwei)
    expect(world.add(tx)).toBe('added')
    expect(world.add(tx)).toBe('TRANSACTION_ALREADY_KNOWN')
  })

  test('the fee cap holds for users and not for peers', () => {
    const world = createWorld()
    expect(world.add(transfer(1, 0, ether + 1n, { gasLimit: 21_000n }), { local: true })).toBe('TX_FEECAP_EXCEEDED')
    expect(world.add(feeMarketTransfer(1, 0, { ...fees, maxFee: ether + 1n }), { local: true })).toBe(
      'TX_FEECAP_EXCEEDED',
    )
    world.setAccount(account(1), { balance: 10n ** 30n })
    expect(world.add(transfer(1, 0, ether), { local: true })).toBe('added')
    expect(world.add(transfer(1, 1, ether + 1n))).toBe('added')
  })

  test('a fee cap of zero is none', () => {
    const world = createWorld({ options: { feeCap: 0n } })
    world.setAccount(account(1), { balance: 10n ** 30n })
    expect(world.add(transfer(1, 0, 2n * ether), { local: true })).toBe('added')
  })

  test('peers have a fee cap of their own, where zero takes only what is free', () => {
    const world = createWorld({ options: { remoteFeeCap: 1000n } })
    world.setAccount(account(1), { balance: 10n ** 30n })
    expect(world.add(transfer(1, 0, 1001n))).toBe('TX_FEECAP_EXCEEDED')
    expect(world.add(feeMarketTransfer(1, 0, { ...fees, maxFee: 1001n }))).toBe('TX_FEECAP_EXCEEDED')
    expect(world.add(transfer(1, 0, 1000n))).toBe('added')
    expect(world.add(transfer(1, 1, 1001n), { local: true })).toBe('added')
    const free = createWorld({ options: { remoteFeeCap: 0n } })
    expect(free.add(transfer(1, 0, 1n))).toBe('TX_FEECAP_EXCEEDED')
    expect(free.add(transfer(1, 0, 0n))).toBe('added')
  })

  test('peers must pay the minimum', () => {
    const world = createWorld()
    world.mining = { enabled: true, minGasPrice: 1000n }
    expect(world.add(transfer(1, 0, 999n))).toBe('GAS_PRICE_TOO_LOW')
    expect(world.add(transfer(1, 0, 1000n))).toBe('added')
  })

  test('users may pay less where blocks are made here, but not less than 7 where there is a base fee', () => {
    const world = createWorld()
    world.mining = { enabled: true, minGasPrice: 1000n }
    expect(world.add(transfer(1, 0, 0n), { local: true })).toBe('added')
    world.head = { ...world.head, baseFee: 8n }
    expect(world.add(transfer(1, 1, 6n), { local: true })).toBe('GAS_PRICE_TOO_LOW')
    expect(world.add(transfer(1, 1, 7n), { local: true })).toBe('added')
    world.head = { ...world.head, baseFee: 0n }
    expect(world.add(transfer(1, 2, 0n), { local: true })).toBe('added')
  })

  test('users pay the minimum where no blocks are made or they have no priority', () => {
    const world = createWorld()
    world.mining = { enabled: false, minGasPrice: 1000n }
    expect(world.add(transfer(1, 0, 999n), { local: true })).toBe('GAS_PRICE_TOO_LOW')
    const equal = createWorld({ options: { localPriority: false } })
    equal.mining = { enabled: true, minGasPrice: 1000n }
    expect(equal.add(transfer(1, 0, 999n), { local: true })).toBe('GAS_PRICE_TOO_LOW')
  })

  test('senders with priority are exempt even as peers', () => {
    const world = createWorld({ options: { prioritySenders: [account(2)] } })
    world.mining = { enabled: true, minGasPrice: 1000n }
    expect(world.add(transfer(2, 0, 1n))).toBe('added')
  })

  test('a price below the base fee waits', () => {
    const world = createWorld({ baseFee: 100n })
    expect(world.add(transfer(1, 0, 50n))).toBe('added')
  })
})

describe('the transaction itself', () => {
  test('signature and chain id', () => {
    const world = createWorld()
    expect(world.add({ ...transfer(1, 0, gwei), r: 0n })).toBe('INVALID_SIGNATURE')
    expect(world.add(transfer(1, 0, gwei, { s: curveOrder - 1n }))).toBe('INVALID_SIGNATURE')
    expect(world.add(transfer(1, 0, gwei, { v: 35n + 2n * (chainId + 1n) }))).toBe('WRONG_CHAIN_ID')
    const early = createWorld({ fork: 'homestead' })
    expect(early.add(transfer(1, 0, gwei))).toBe('REPLAY_PROTECTED_SIGNATURES_NOT_SUPPORTED')
  })

  test('strict replay protection holds for users and not for peers', () => {
    const world = createWorld({ options: { strictReplayProtection: true } })
    expect(world.add(transfer(1, 0, gwei, { v: 27n }), { local: true })).toBe('REPLAY_PROTECTED_SIGNATURE_REQUIRED')
    expect(world.add(transfer(1, 0, gwei, { v: 27n }))).toBe('added')
    expect(world.add(transfer(1, 1, gwei), { local: true })).toBe('added')
  })

  test('no more bytes than nodes send each other, no matter who sends them', () => {
    const world = createWorld()
    const large = (nonce: number, bytes: number) =>
      transfer(1, nonce, gwei, { data: new Uint8Array(bytes), gasLimit: 20_000_000n })
    const most = (4 << 20) - encodeTx(large(0, 4 << 20)).length + (4 << 20)
    expect(encodeTx(large(0, most)).length).toBe(4 << 20)
    for (const local of [true, false]) expect(world.add(large(0, most + 1), { local })).toBe('TX_TOO_LARGE')
    expect(world.add(large(0, most), { local: true })).toBe('added')
  })

  test('a type that the fork lacks', () => {
    expect(createWorld({ fork: 'berlin' }).add(feeMarketTransfer(1, 0, fees))).toBe('INVALID_TRANSACTION_FORMAT')
  })

  test('numbers out of bounds', () => {
    const world = createWorld()
    expect(world.add(transfer(1, 0, gwei, { nonce: maxU64 }))).toBe('NONCE_OVERFLOW')
    expect(world.add(transfer(1, 0, gwei, { gasLimit: 20_999n }))).toBe('INTRINSIC_GAS_EXCEEDS_GAS_LIMIT')
    expect(world.add(transfer(1, 0, gwei, { gasLimit: 30_000_001n }))).toBe('EXCEEDS_BLOCK_GAS_LIMIT')
    expect(world.add(transfer(1, 0, gwei, { gasLimit: maxU64 + 1n }))).toBe('EXCEEDS_BLOCK_GAS_LIMIT')
    expect(world.add(transfer(1, 0, maxU256))).toBe('UPFRONT_COST_EXCEEDS_BALANCE')
    expect(world.add(feeMarketTransfer(1, 0, { maxFee: 1n, maxPriorityFee: 2n }))).toBe(
      'MAX_PRIORITY_FEE_PER_GAS_EXCEEDS_MAX_FEE_PER_GAS',
    )
  })

  test('bounds of later forks', () => {
    const initCode = transfer(1, 0, gwei, { to: undefined, data: new Uint8Array(49_153), gasLimit: 5_000_000n })
    expect(createWorld({ fork: 'shanghai' }).add(initCode)).toBe('INITCODE_TOO_LARGE')
    const floor = transfer(1, 0, gwei, { data: new Uint8Array(1000).fill(1), gasLimit: 21_000n + 16_000n })
    expect(createWorld({ fork: 'cancun' }).add(floor)).toBe('added')
    expect(createWorld({ fork: 'prague' }).add(floor)).toBe('INTRINSIC_GAS_EXCEEDS_GAS_LIMIT')
    const big = transfer(1, 0, gwei, { gasLimit: 16_777_217n })
    expect(createWorld({ fork: 'osaka' }).add(big)).toBe('EXCEEDS_PER_TRANSACTION_GAS_LIMIT')
    const delegations: SetCodeTx = sentBy(account(1), { ...feeMarketTransfer(1, 0, fees), type: 4, authorizations: [] })
    expect(createWorld({ fork: 'prague' }).add(delegations)).toBe('EMPTY_CODE_DELEGATION')
  })
})

describe('the sender', () => {
  test('permissions come before everything else about it', () => {
    const world = createWorld({ ports: { permits: (tx) => (tx.value === 1n ? 'refused' : 'allowed') } })
    world.setAccount(account(1), { balance: 0n })
    expect(world.add(transfer(1, 0, gwei, { value: 1n }))).toBe('TX_SENDER_NOT_AUTHORIZED')
    expect(world.add(transfer(2, 0, gwei, { value: 2n }))).toBe('added')
  })

  test('permissions that cannot be asked are another reason', () => {
    const world = createWorld({ ports: { permits: () => 'unclear' } })
    expect(world.add(transfer(1, 0, gwei))).toBe('PERMISSIONS_UNCLEAR')
  })

  test('loses its transactions with the permission', () => {
    let refused: bigint | undefined
    const permits = (tx: Tx) => (tx.value === refused ? 'refused' : 'allowed')
    const world = createWorld({ ports: { permits, stillPermits: permits } })
    world.add(transfer(1, 0, gwei, { value: 1n }))
    world.add(transfer(2, 0, gwei, { value: 2n }))
    const [first, second] = [...world.pool.entries()]
    refused = 1n
    expect(world.pool.findRefusal(first!)).toEqual({ code: 'TX_SENDER_NOT_AUTHORIZED', why: 'permissions' })
    expect(world.pool.findRefusal(second!)).toBe(undefined)
    world.pool.recheckPermissions()
    expect([...world.pool.entries()]).toEqual([second])
  })

  test('while a block is built, only the rules that read no state are asked', () => {
    let permits: 'allowed' | 'refused' = 'allowed'
    const world = createWorld({
      ports: { permits: () => permits, stillPermits: (tx) => (tx.value === 1n ? 'refused' : 'allowed') },
    })
    for (const value of [1n, 2n]) world.add(transfer(Number(value), 0, gwei, { value }))
    permits = 'refused'
    const refusals = [...world.pool.entries()].map((entry) => [entry.tx.value, world.pool.findRefusal(entry)?.code])
    expect(refusals.sort()).toEqual([
      [1n, 'TX_SENDER_NOT_AUTHORIZED'],
      [2n, undefined],
    ])
  })

  test('gas at the highest price and value must be there', () => {
    const world = createWorld()
    world.setAccount(account(1), { balance: 21_000n * gwei + 4n })
    expect(world.add(transfer(1, 0, gwei, { value: 5n }))).toBe('UPFRONT_COST_EXCEEDS_BALANCE')
    expect(world.add(transfer(1, 0, gwei, { value: 4n }))).toBe('added')
  })

  test('a nonce may be higher than the account, not lower', () => {
    const world = createWorld()
    world.setAccount(account(1), { nonce: 5n })
    expect(world.add(transfer(1, 4, gwei))).toBe('NONCE_TOO_LOW')
    expect(world.add(transfer(1, 6, gwei))).toBe('added')
  })

  test('one with code may not send unless the code is a delegation', () => {
    const contract = Uint8Array.of(0x60, 0x00)
    const delegation = Uint8Array.of(0xef, 0x01, 0x00, ...zeroAddress)
    for (const [code, answer] of [
      [contract, 'TX_SENDER_NOT_AUTHORIZED'],
      [delegation, 'added'],
    ] as const) {
      const world = createWorld({ fork: 'prague' })
      world.head = { ...world.head, code: () => code }
      world.setAccount(account(1), { codeHash: keccak256(code) })
      expect(world.add(transfer(1, 0, gwei))).toBe(answer)
    }
  })

  test('how far ahead a nonce may be is counted from the last pending one', () => {
    const world = createWorld({ limits: { maxFuture: 3 } })
    expect(world.add(transfer(1, 3, gwei))).toBe('NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER')
    expect(world.add(transfer(1, 2, gwei))).toBe('added')
    for (const nonce of [0, 1, 3, 4, 5]) expect(world.add(transfer(1, nonce, gwei))).toBe('added')
    expect(world.add(transfer(1, 9, gwei))).toBe('NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER')
    expect(world.add(transfer(1, 8, gwei))).toBe('added')
  })

  test('the same nonce again must pay more', () => {
    const world = createWorld()
    const old = transfer(1, 0, 100n)
    const better = transfer(1, 0, 110n)
    world.add(old)
    expect(world.add(transfer(1, 0, 109n))).toBe('TRANSACTION_REPLACEMENT_UNDERPRICED')
    expect(world.add(better)).toBe('added')
    expect([...world.pool.entries()].map((e) => e.tx)).toEqual([better])
    expect(world.events.slice(1)).toMatchObject([
      { type: 'dropped', entry: { tx: old }, reason: { code: 'REPLACED' } },
      { type: 'added', entry: { tx: better } },
    ])
  })
})

describe('blobs', () => {
  const commitment = new Uint8Array(48).fill(7)
  const sidecar: BlobSidecar = {
    version: 0,
    blobs: [new Uint8Array(blobSize)],
    commitments: [commitment],
    proofs: [new Uint8Array(48)],
  }
  const blobTx = (more: Partial<BlobTx> = {}): BlobTx =>
    sentBy(account(1), {
      ...feeMarketTransfer(1, 0, fees),
      type: 3,
      maxBlobFee: gwei,
      blobHashes: [blobHashOf(commitment)],
      ...more,
    })

  test('are refused when something about them is wrong', () => {
    const world = createWorld({ fork: 'cancun' })
    const why = (tx: BlobTx, given: BlobSidecar | undefined) =>
      world.pool.add(tx, { local: true, now: 0, sidecar: given }) as { code: string; why?: string }
    expect(why(blobTx(), undefined)).toEqual({ code: 'INVALID_BLOBS', why: 'sidecar missing' })
    expect(why(blobTx({ blobHashes: [] }), sidecar)).toEqual({ code: 'INVALID_BLOBS', why: 'none' })
    expect(why(blobTx(), { ...sidecar, version: 1 })).toEqual({ code: 'INVALID_BLOBS', why: 'sidecar version' })
    expect(why(blobTx(), { ...sidecar, proofs: [] })).toEqual({ code: 'INVALID_BLOBS', why: 'counts' })
    expect(why(blobTx(), { ...sidecar, commitments: [new Uint8Array(48)] })).toEqual({
      code: 'INVALID_BLOBS',
      why: 'hash',
    })
    const otherVersion = new Uint8Array(32).fill(2) as BlobTx['blobHashes'][number]
    expect(why(blobTx({ blobHashes: [otherVersion] }), sidecar)).toEqual({ code: 'INVALID_BLOBS', why: 'hash version' })
    const many = Array.from({ length: 7 }, () => blobHashOf(commitment))
    expect(why(blobTx({ blobHashes: many }), sidecar)).toMatchObject({ code: 'TOTAL_BLOB_GAS_TOO_HIGH' })
  })

  test('are refused when the proofs do not fit', () => {
    const world = createWorld({ fork: 'cancun', ports: { proves: () => false } })
    expect(world.pool.add(blobTx(), { local: true, now: 0, sidecar })).toEqual({ code: 'INVALID_BLOBS', why: 'proof' })
  })

  test('stay beside the transaction and count for its size', () => {
    const world = createWorld({ fork: 'cancun', ports: { proves: () => true } })
    const tx = blobTx()
    expect(world.add(tx, { sidecar })).toBe('added')
    expect([...world.pool.entries()][0]!.sidecar).toBe(sidecar)
    expect(world.pool.statistics().bytes).toBeGreaterThan(blobSize)
  })

  test('have a proof per cell from Osaka on', () => {
    const world = createWorld({ fork: 'osaka' })
    const cells = { ...sidecar, version: 1, proofs: Array.from({ length: cellsPerBlob }, () => new Uint8Array(48)) }
    expect(world.add(blobTx(), { sidecar })).toBe('INVALID_BLOBS')
    expect(world.add(blobTx(), { sidecar: cells })).toBe('added')
  })

  test('leave the pool when a fork asks for other proofs', () => {
    const world = createWorld({ fork: 'prague' })
    expect(world.add(blobTx(), { sidecar })).toBe('added')
    expect(world.add(feeMarketTransfer(2, 0, fees))).toBe('added')
    world.head = { ...world.head, rules: createWorld({ fork: 'osaka' }).head.rules }
    world.pool.onHead({ added: [], removed: [], now: 0 })
    expect([...world.pool.entries()].map(({ tx }) => tx.type)).toEqual([2])
    const reason = { code: 'INVALID_BLOBS', why: 'sidecar version' }
    expect(world.events.at(-1)).toMatchObject({ type: 'dropped', reason })
  })

  test('may be more than a block has bytes for, but not more than messages carry', () => {
    const world = createWorld({ fork: 'cancun' })
    const count = 64
    const many = (length: number): BlobSidecar => ({
      version: 0,
      blobs: Array.from({ length }, () => new Uint8Array(blobSize)),
      commitments: Array.from({ length }, () => commitment),
      proofs: Array.from({ length }, () => new Uint8Array(48)),
    })
    expect(world.add(blobTx(), { sidecar: many(count) })).toBe('TX_TOO_LARGE')
    expect(world.add(blobTx(), { sidecar: many(count - 1) })).toBe('INVALID_BLOBS')
  })

  test('the fork must have them', () => {
    expect(createWorld({ fork: 'shanghai' }).add(blobTx(), { sidecar })).toBe('INVALID_TRANSACTION_FORMAT')
  })
})
