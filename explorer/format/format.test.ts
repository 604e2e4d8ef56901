import { expect, test } from 'vitest'
import { formatAmount, formatBytes, formatCount, formatShare } from './numbers.ts'
import { cutText, revealHidden } from './safeText.ts'
import { shorten } from './shorten.ts'
import { formatAge, formatTime } from './times.ts'

test('amounts are cut, never rounded up', () => {
  expect(formatAmount(1_999_999_999_999_999_999n, 18)).toBe('1.999999')
  expect(formatAmount(1_234_567n * 10n ** 18n, 18)).toBe('1,234,567')
  expect(formatAmount(1n, 18)).toBe('<0.000001')
  expect(formatAmount(0n, 18)).toBe('0')
  expect(formatAmount(-15n, 1)).toBe('−1.5')
  expect(formatAmount(12_345n, 2)).toBe('123.45')
})

test('counts, shares and sizes', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatShare(1n, 3n)).toBe('33.3 %')
  expect(formatShare(1n, 1_000_000n)).toBe('<0.1 %')
  expect(formatShare(0n, 0n)).toBe('0 %')
  expect([999, 1500, 2_000_000].map(formatBytes)).toEqual(['999 B', '1.5 kB', '2 MB'])
})

test('ages use their largest unit', () => {
  const ages = [0, 59, 60, 7199, 90_000].map((ago) => formatAge(1_000_000 - ago, 1_000_000))
  expect(ages).toEqual(['0 s ago', '59 s ago', '1 min ago', '1 h ago', '1 d ago'])
  expect(formatAge(0, 1_000_000)).toBe('at genesis')
  expect(formatAge(1_000_060, 1_000_000)).toBe('in 1 min')
  // A clock that is a little behind the node's.
  expect(formatAge(1_000_003, 1_000_000)).toBe('0 s ago')
})

test('times that no calendar has are shown as seconds', () => {
  expect(formatTime(1_700_000_000)).toBe('2023-11-14 22:13:20 UTC')
  expect(formatTime(1e15)).toBe('second 1000000000000000')
})

test('what cannot be seen is made visible', () => {
  expect(revealHidden('a\u202eb\u0000c\u200d\nd')).toBe('a\\u{202e}b\\u{0}c\\u{200d}\nd')
  expect(revealHidden('日本 العربية ü')).toBe('日本 العربية ü')
})

test('long texts are cut', () => {
  expect(cutText('a'.repeat(1 << 20))).toEqual({ shown: 'a'.repeat(2000), left: (1 << 20) - 2000 })
  expect(cutText('short')).toEqual({ shown: 'short', left: 0 })
})

test('identifiers are shortened in their middle', () => {
  expect(shorten(`0x${'12'.repeat(20)}`)).toBe('0x121212…121212')
  expect(shorten('0x1234')).toBe('0x1234')
})
