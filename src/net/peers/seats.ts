import { compareBytes, concatBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { DisconnectReason } from '../protocol.ts'

/** What decides over a place among the peers. */
export interface Seat {
  readonly id: Uint8Array
  readonly inbound: boolean
  readonly isStatic: boolean
}

export interface SeatLimits {
  readonly maxPeers: number
  /** How many peers may have called us; undefined sets no limit. */
  readonly maxInbound: number | undefined
  /** When given, full tables keep a random choice of peers instead of the oldest ones. */
  readonly lottery: Uint8Array | undefined
}

export type Seating<S> = { readonly refused: DisconnectReason } | { readonly instead: S | undefined }

/** Whether there is a place for a newcomer, and who has to go for it. Static peers always have one. */
export function findSeat<S extends Seat>(newcomer: Seat, seats: readonly S[], limits: SeatLimits): Seating<S> {
  if (newcomer.isStatic) return { instead: undefined }
  const callers = seats.filter((seat) => seat.inbound && !seat.isStatic)
  if (newcomer.inbound && limits.maxInbound !== undefined && callers.length >= limits.maxInbound)
    return replace(newcomer, callers, limits.lottery)
  if (seats.length < limits.maxPeers) return { instead: undefined }
  const others = seats.filter((seat) => !seat.isStatic)
  return replace(newcomer, others, limits.lottery)
}

function replace<S extends Seat>(newcomer: Seat, seats: readonly S[], lottery: Uint8Array | undefined): Seating<S> {
  if (!lottery || seats.length === 0) return { refused: 'tooManyPeers' }
  const ticket = (seat: Seat) => keccak256(concatBytes(lottery, seat.id))
  const last = seats.reduce((a, b) => (compareBytes(ticket(a), ticket(b)) > 0 ? a : b))
  return compareBytes(ticket(newcomer), ticket(last)) < 0 ? { instead: last } : { refused: 'tooManyPeers' }
}
