// What a transaction holds in linear memory beside the memory of its frames. Each thing counts by definition, as much as it can take
// at worst: what an instance has cached, and how memory lies, must not decide about a transaction. What a failed frame undid still
// counts, except for code. The reasons for the number and what is out of reach: docs/adr/0004-evm-in-linear-memory.md.
import { HALT_OUT_OF_GAS } from './layout';

/** Bytes that a transaction may hold; an operation that would hold more runs out of gas. */
export const MOST_HELD: u64 = 1536 << 20;

export const HELD_ACCOUNT: u64 = 256;
export const HELD_SLOT: u64 = 200;
export const HELD_CELL: u64 = 96;
/** A log, for its object in JavaScript. */
export const HELD_LOG: u64 = 384;
/** For each byte of a log: the place for all logs doubles, and large ones are left behind. */
export const HELD_LOG_BYTE: u64 = 4;
/** For each byte of code that a frame runs, or that becomes a contract's: itself and its analysis, in blocks. */
export const HELD_CODE_BYTE: u64 = 10;

let held: u64 = 0;

export function forgetHeld(): void {
  held = 0;
}

@inline
export function hold(bytes: u64): void {
  held += bytes;
}

@inline
export function releaseHeld(bytes: u64): void {
  held -= bytes;
}

@inline
export function hasRoomFor(bytes: u64): bool {
  return held + bytes <= MOST_HELD;
}

/** Returns the gas left after an operation that held something: none if it was too much. */
@inline
export function within(gas: i64): i64 {
  return hasRoomFor(0) ? gas : -HALT_OUT_OF_GAS;
}
