import { expect, test } from 'vitest'
import { createProgressBar } from './progressBar.ts'

function watch(terminal: boolean, columns = 120) {
  const written: string[] = []
  let time = 0
  const bar = createProgressBar({
    title: 'Importing x',
    terminal,
    columns,
    write: (text) => void written.push(text),
    now: () => time,
  })
  return { bar, written, at: (milliseconds: number) => void (time = milliseconds) }
}

test('a terminal gets a bar that is drawn over itself', () => {
  const { bar, written, at } = watch(true)
  at(10_000)
  bar.update({ share: 0.25, blocks: 50, gas: 20_000_000n })
  at(10_050)
  bar.update({ share: 0.26, blocks: 51, gas: 20_000_000n })
  bar.clear()
  bar.clear()
  expect(written).toEqual([
    `\rImporting x [${'#'.repeat(6)}${'-'.repeat(18)}] 25 %, 50 blocks, 2.0 Mgas/s, ETA 30 s\x1b[K`,
    '\r\x1b[K',
  ])
})

test('a narrow terminal gets no line that wraps', () => {
  const { bar, written } = watch(true, 20)
  bar.update({ share: 0.5, blocks: 1, gas: 0n })
  expect(written).toEqual(['\rImporting x [######\x1b[K'])
})

test('a log gets a line every five seconds', () => {
  const { bar, written, at } = watch(false)
  for (const time of [1000, 4000, 5000, 6000, 200_000]) {
    at(time)
    bar.update({ share: 0.5, blocks: 9, gas: 0n })
  }
  bar.clear()
  expect(written).toEqual(['Importing x: 50 %, 9 blocks, ETA 5 s\n', 'Importing x: 50 %, 9 blocks, ETA 3 min 20 s\n'])
})
