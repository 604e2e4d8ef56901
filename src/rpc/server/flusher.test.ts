import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFlusher } from './flusher.ts'

/** Clients that each have one piece to be written. */
function createClients(count: number) {
  const events: string[] = []
  const collectors = Array.from({ length: count }, (_, i) => ({
    socket: { write: (piece: Buffer) => events.push(`${piece}`) > 0 },
    take: () => (i % 2 > 0 ? undefined : Buffer.from(String(i))),
  }))
  return { events, collectors }
}

test('each client gets what was collected for it, those without anything are passed over', async () => {
  const { events, collectors } = createClients(1000)
  const flusher = createFlusher(() => 0)
  for (const one of collectors) flusher.add(one)
  expect(events).toEqual([])
  await nextTurn()
  expect(events).toEqual(Array.from({ length: 500 }, (_, i) => String(2 * i)))
})

test('others have their turn while many are written to', async () => {
  const { events, collectors } = createClients(1000)
  let time = 0
  const flusher = createFlusher(() => (time += 10))
  for (const one of collectors) flusher.add(one)
  const counts: number[] = []
  while (events.length < 500) {
    await nextTurn()
    counts.push(events.length)
  }
  expect(counts.length).toBeGreaterThan(3)
  // Anyone who comes meanwhile waits for the others.
  flusher.add(createClients(1).collectors[0]!)
  flusher.add({ ...collectors[0]!, take: () => Buffer.from('late') })
  await nextTurn()
  await nextTurn()
  expect(events.at(-1)).toBe('late')
})
