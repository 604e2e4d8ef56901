import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Address, Hash32 } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { decodeRlp, encodeRlp } from '../primitives/rlp.ts'
import { type Block, decodeBlock, encodeBlock, ommersHashOf } from './block.ts'
import { bloomMayHold, bloomOf, mergeBlooms } from './bloom.ts'
import { txHash } from './encodeTx.ts'
import { blankHeader, emptyOmmersHash, type Header, headerFromRlp, headerToRlp } from './header.ts'
import { decodeReceipt, encodeReceipt } from './receipt.ts'
import { signTx } from './signTx.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((b) => b as Address)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => b as Hash32)
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const log = fc.record({ address, topics: fc.array(hash, { maxLength: 4 }), data: fc.uint8Array() })

/** Headers as the forks grew them: each has all optional fields up to some point. */
const optional = ['baseFee', 'withdrawalsRoot', 'blobGasUsed', 'parentBeaconRoot', 'requestsHash'] as const
const header = fc
  .record({ number: u64, gasUsed: u64, beneficiary: address, root: hash, extraData: fc.uint8Array(), depth: fc.nat(5) })
  .map(({ root, depth, ...fields }): Header => {
    const has = (name: (typeof optional)[number]) => optional.indexOf(name) < depth
    return {
      ...blankHeader,
      ...fields,
      stateRoot: root,
      baseFee: has('baseFee') ? 7n : undefined,
      withdrawalsRoot: has('withdrawalsRoot') ? root : undefined,
      blobGasUsed: has('blobGasUsed') ? 0n : undefined,
      excessBlobGas: has('blobGasUsed') ? 1n : undefined,
      parentBeaconRoot: has('parentBeaconRoot') ? root : undefined,
      requestsHash: has('requestsHash') ? root : undefined,
    }
  })

describe('blocks', () => {
  test('headers of every age undo themselves', () => {
    fc.assert(
      fc.property(header, (h) => {
        expect(headerFromRlp(decodeRlp(encodeRlp(headerToRlp(h))))).toEqual(h)
      }),
    )
  })

  test('blocks with ommers, withdrawals and both kinds of transactions', () => {
    const to = new Uint8Array(20) as Address
    const key = new Uint8Array(32).fill(5)
    const base = { nonce: 1n, gasLimit: 21_000n, to, value: 1n, data: new Uint8Array(3), chainId: 5n }
    const transactions = [
      signTx({ type: 0, gasPrice: 4n, ...base }, key),
      signTx({ type: 2, maxFee: 4n, maxPriorityFee: 1n, accessList: [], ...base }, key),
    ]
    fc.assert(
      fc.property(fc.array(header, { minLength: 1, maxLength: 3 }), u64, ([h, ...ommers], amount) => {
        const block: Block = {
          header: h!,
          transactions,
          ommers,
          withdrawals: [{ index: 1n, validatorIndex: 2n, address: to, amount }],
        }
        expect(decodeBlock(encodeBlock(block))).toEqual(block)
        expect(decodeBlock(encodeBlock({ ...block, withdrawals: undefined })).withdrawals).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  })

  test('transactions that are known are not decoded again', () => {
    const key = new Uint8Array(32).fill(5)
    const base = {
      gasLimit: 21_000n,
      to: new Uint8Array(20) as Address,
      value: 1n,
      data: new Uint8Array(0),
      chainId: 5n,
    }
    const [known, other] = [0n, 1n].map((nonce) => signTx({ type: 0, gasPrice: 4n, nonce, ...base }, key))
    const typed = signTx({ type: 2, maxFee: 4n, maxPriorityFee: 1n, accessList: [], nonce: 2n, ...base }, key)
    const transactions = [known!, other!, typed]
    const bytes = encodeBlock({ header: blankHeader, transactions, ommers: [], withdrawals: undefined })
    const pool = new Map([known!, typed].map((tx) => [toHex(txHash(tx)), tx]))
    const decoded = decodeBlock(bytes, (hash) => pool.get(toHex(hash))).transactions
    expect(decoded).toEqual(transactions)
    expect([decoded[0] === known, decoded[1] === other, decoded[2] === typed]).toEqual([true, false, true])
    expect(decoded.map(txHash)).toEqual(transactions.map(txHash))
  })

  test('no ommers have the well-known digest', () => {
    expect(toHex(emptyOmmersHash)).toBe('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')
    expect(ommersHashOf([])).toEqual(emptyOmmersHash)
  })

  test('receipts of every type', () => {
    fc.assert(
      fc.property(
        fc.array(log),
        fc.constantFrom(0, 1, 2, 3, 4),
        fc.oneof(fc.constantFrom(0, 1), hash),
        u64,
        (logs, type, outcome, gas) => {
          const receipt = {
            type,
            outcome: outcome as 0 | 1,
            cumulativeGasUsed: gas,
            logsBloom: bloomOf(logs),
            logs,
          } as const
          expect(decodeReceipt(encodeReceipt(receipt as never))).toEqual(receipt)
        },
      ),
    )
  })

  test('a bloom holds what was added, and the union holds both', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1 }), fc.array(log), (a, b) => {
        const merged = mergeBlooms([bloomOf(a), bloomOf(b)])
        for (const { address: from, topics } of [...a, ...b])
          for (const entry of [from, ...topics]) expect(bloomMayHold(merged, entry)).toBe(true)
      }),
    )
    expect(bloomMayHold(bloomOf([]), new Uint8Array(20))).toBe(false)
  })
})
