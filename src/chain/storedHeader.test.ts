import { describe, expect, test } from 'vitest'
import { emptyRequestsHash } from '../forks/genesisHeader.ts'
import { concatBytes, type Hash32, zeroHash } from '../primitives/bytes.ts'
import { keccak256 } from '../primitives/keccak.ts'
import { bftMixHash, blankHeader, encodeHeader, type Header, headerHash } from '../types/header.ts'
import { decodeStoredHeader, encodeStoredHeader, rlpOfStoredHeader, timeOfStoredHeader } from './storedHeader.ts'

const digest = (n: number): Hash32 => keccak256(Uint8Array.of(n))

/** Nothing in it is usual. */
const busy: Header = {
  ...blankHeader,
  parentHash: digest(1),
  ommersHash: digest(2),
  stateRoot: digest(3),
  transactionsRoot: digest(4),
  receiptsRoot: digest(5),
  logsBloom: new Uint8Array(256).fill(7),
  number: 1000n,
  extraData: new Uint8Array(97).fill(8),
  mixHash: digest(6),
  nonce: new Uint8Array(8).fill(9),
}
const quiet: Header = { ...blankHeader, parentHash: digest(1), stateRoot: digest(3), extraData: new Uint8Array(97) }

describe('a stored header', () => {
  test.each<[string, Header]>([
    ['of a busy block', busy],
    ['of an empty block', quiet],
    ['of an empty block of QBFT', { ...quiet, mixHash: bftMixHash }],
    ['whose extra data is a usual value', { ...busy, extraData: zeroHash }],
    ['of zeros', { ...blankHeader, parentHash: zeroHash, stateRoot: zeroHash }],
    [
      'with all fields',
      {
        ...quiet,
        baseFee: 7n,
        withdrawalsRoot: blankHeader.transactionsRoot,
        blobGasUsed: 0n,
        excessBlobGas: 0n,
        parentBeaconRoot: zeroHash,
        requestsHash: digest(7),
      },
    ],
  ])('%s is what it was', (_, header) => {
    const record = { header, hash: headerHash(header), totalDifficulty: 12_345_678_901_234_567_890n }
    const stored = encodeStoredHeader(record)
    expect(decodeStoredHeader(stored, record.hash)).toEqual(record)
    expect(rlpOfStoredHeader(stored)).toEqual(encodeHeader(header))
  })

  test('of Prague gives its time in place; earlier ones give none', () => {
    const timeIn = (header: Header) =>
      timeOfStoredHeader(encodeStoredHeader({ header, hash: digest(0), totalDifficulty: 300n }))
    const fields = {
      baseFee: 7n,
      withdrawalsRoot: digest(8),
      blobGasUsed: 0n,
      excessBlobGas: 0n,
      parentBeaconRoot: zeroHash,
    }
    const prague = { ...busy, ...fields, requestsHash: digest(7) }
    for (const timestamp of [0n, 1n, 127n, 128n, 1_795_026_975n, 2n ** 63n])
      expect(timeIn({ ...prague, timestamp })).toBe(timestamp)
    expect(timeIn({ ...quiet, ...fields, requestsHash: emptyRequestsHash, timestamp: 5n })).toBe(5n)
    expect([timeIn(busy), timeIn({ ...busy, ...fields, timestamp: 9n })]).toEqual([undefined, undefined])
  })

  test('of an empty block has a third of its bytes', () => {
    const stored = encodeStoredHeader({ header: quiet, hash: digest(0), totalDifficulty: 2_000_000n })
    expect(stored.length).toBeLessThan(encodeHeader(quiet).length * 0.38)
  })

  test('of an older version is read as it is', () => {
    const old = concatBytes(Uint8Array.of(1, 2), encodeHeader(quiet))
    expect(decodeStoredHeader(old, digest(0))).toEqual({ header: quiet, hash: digest(0), totalDifficulty: 2n })
    expect(rlpOfStoredHeader(old)).toEqual(encodeHeader(quiet))
  })

  test('that names a value which there is not is damaged', () => {
    const stored = encodeStoredHeader({ header: quiet, hash: digest(0), totalDifficulty: 0n })
    // The first name behind the parent's hash.
    stored[stored.indexOf(0xc1, 36) + 1] = 100
    expect(() => decodeStoredHeader(stored, digest(0))).toThrow('RLP_WRONG_KIND')
  })
})
