import { expect, test } from 'vitest'
import { maxSending, readInTurns } from './readInTurns.ts'

/** Pieces that take so long to make that not all fit into one turn. */
function* slowPieces(count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + maxSending / 2
    while (performance.now() < end);
    yield `${i} `
  }
}

test('everything else has its turn while a long text is sent', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  let text = ''
  for await (const piece of readInTurns(slowPieces(8))) text += String(piece)
  isOver = true
  expect(text).toBe('0 1 2 3 4 5 6 7 ')
  expect(turns).toBeGreaterThanOrEqual(2)
})

test('a sender that stops ends the text', async () => {
  let isClosed = false
  function* pieces(): Generator<string> {
    try {
      yield 'a'
      yield 'b'
    } finally {
      isClosed = true
    }
  }
  for await (const piece of readInTurns(pieces())) if (piece === 'a') break
  expect(isClosed).toBe(true)
})
