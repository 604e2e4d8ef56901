import { describe, expect, test } from 'vitest'
import { findSeat, type Seat } from './seats.ts'

const seat = (n: number, more: Partial<Seat> = {}): Seat => ({
  id: new Uint8Array(64).fill(n),
  inbound: false,
  isStatic: false,
  ...more,
})
const caller = (n: number) => seat(n, { inbound: true })
const limits = { maxPeers: 3, maxInbound: undefined, lottery: undefined }

describe('places among the peers', () => {
  test('are given until all are taken', () => {
    expect(findSeat(seat(3), [seat(1), seat(2)], limits)).toEqual({ instead: undefined })
    expect(findSeat(seat(4), [seat(1), seat(2), seat(3)], limits)).toEqual({ refused: 'tooManyPeers' })
  })

  test('static nodes always have one', () => {
    const full = [seat(1), seat(2), seat(3)]
    expect(findSeat(seat(4, { isStatic: true }), full, limits)).toEqual({ instead: undefined })
  })

  test('callers have a share of them, in which static ones do not count', () => {
    const half = { ...limits, maxPeers: 10, maxInbound: 2 }
    expect(findSeat(caller(3), [caller(1), caller(2)], half)).toEqual({ refused: 'tooManyPeers' })
    expect(findSeat(seat(3), [caller(1), caller(2)], half)).toEqual({ instead: undefined })
    const known = seat(2, { inbound: true, isStatic: true })
    expect(findSeat(caller(3), [caller(1), known], half)).toEqual({ instead: undefined })
  })

  test('by lottery: whoever stays does not depend on who came first, and static nodes stay', () => {
    const drawn = { ...limits, lottery: Uint8Array.of(1, 2, 3) }
    const kept = (order: readonly Seat[]) => {
      let seats: Seat[] = []
      for (const newcomer of order) {
        const seating = findSeat(newcomer, seats, drawn)
        if (!('refused' in seating)) seats = [...seats.filter((s) => s !== seating.instead), newcomer]
      }
      return seats.map(({ id }) => id[0]!).sort((a, b) => a - b)
    }
    const all = [1, 2, 3, 4, 5, 6, 7].map((n) => seat(n))
    expect(kept(all)).toHaveLength(3)
    expect(kept([...all].reverse())).toEqual(kept(all))
    const statics = [1, 2, 3].map((n) => seat(n, { isStatic: true }))
    for (const newcomer of all) expect(findSeat(newcomer, statics, drawn)).toEqual({ refused: 'tooManyPeers' })
  })
})
