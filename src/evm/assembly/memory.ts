// The running frame's memory: it grows by words, at a quadratic cost.
import { charge, chargeAll } from './schedule';
import { callersMemory, memoryAt, memoryBytes, memoryFor, MOST_MEMORY, setMemory } from './frames';
import { HALT_OUT_OF_GAS } from './layout';
import { clear, copy, move, swap, upper } from './word';

/** Up to this size memory is cleared by a loop: memory.fill is a call out of WebAssembly. */
@inline
function fillZero(at: usize, bytes: usize): void {
  if (bytes > 256) memory.fill(at, 0, bytes);
  else for (const end = at + bytes; at < end; at += 32) clear(at);
}

/** Offsets and lengths from 2^31 on are more memory than a transaction may use. The sum of two below it fits 32 bits. */
@inline
export function isFar(word: usize): bool {
  return (upper(word) | (load<u64>(word) >> 31)) != 0;
}

@inline
export function wordsOf(bytes: usize): i64 {
  return i64((bytes + 31) >> 5);
}

@inline
function priceOf(words: u64): i64 {
  return i64(words * 3 + ((words * words) >> 9));
}

/** Returns the total cost of memory up to `end`. */
@inline
export function growthCost(end: usize): i64 {
  return end <= memoryBytes ? 0 : priceOf((u64(end) + 31) >> 5) - priceOf(memoryBytes >> 5);
}

/** Extends memory to `end`; returns false if the frames of a transaction may not have so much. */
export function growTo(end: usize): bool {
  if (end <= memoryBytes) return true;
  if (end > MOST_MEMORY - callersMemory) return false;
  // The limit is a multiple of 32.
  const bytes = (end + 31) & ~31;
  const at = memoryFor(bytes);
  if (at != memoryAt) memory.copy(at, memoryAt, memoryBytes);
  fillZero(at + memoryBytes, bytes - memoryBytes);
  setMemory(at, bytes);
  return true;
}

/** Pays for `length` bytes at an offset (a word) and for what else the opcode costs, and grows memory. */
export function reach(offset: usize, length: usize, otherCost: i64, gas: i64): i64 {
  if (length == 0) return charge(gas, otherCost);
  if (isFar(offset)) return chargeAll();
  const end = usize(load<u64>(offset)) + length;
  gas = charge(gas, growthCost(end) + otherCost);
  if (gas >= 0 && !growTo(end)) return -HALT_OUT_OF_GAS;
  return gas;
}

/** MLOAD: replaces the offset by the word there. */
@inline
export function loadWord(at: usize, gas: i64): i64 {
  const offset = load<u64>(at);
  if ((upper(at) | (offset >> 32)) != 0 || offset + 32 > u64(memoryBytes)) {
    gas = reach(at, 32, 0, gas);
    if (gas < 0) return gas;
  }
  swap(at, memoryAt + usize(offset));
  return gas;
}

/** MSTORE */
@inline
export function storeWord(at: usize, value: usize, gas: i64): i64 {
  const offset = load<u64>(at);
  if ((upper(at) | (offset >> 32)) != 0 || offset + 32 > u64(memoryBytes)) {
    gas = reach(at, 32, 0, gas);
    if (gas < 0) return gas;
  }
  swap(memoryAt + usize(offset), value);
  return gas;
}

/** MSTORE8 */
@inline
export function storeByte(at: usize, value: usize, gas: i64): i64 {
  gas = reach(at, 1, 0, gas);
  if (gas >= 0) store<u8>(memoryAt + usize(load<u64>(at)), load<u8>(value));
  return gas;
}

/** Copies `length` bytes (a word) from `sourceOffset` (a word) of a byte string, zeros beyond its end, into memory. */
export function copyIn(
  toWord: usize, sourceOffset: usize, lengthWord: usize, source: usize, sourceLength: usize, otherCost: i64, gas: i64,
): i64 {
  if (isFar(lengthWord)) return chargeAll();
  const length = usize(load<u64>(lengthWord));
  gas = reach(toWord, length, otherCost + 3 * wordsOf(length), gas);
  if (gas < 0 || length == 0) return gas;
  const to = memoryAt + usize(load<u64>(toWord));
  let from = sourceLength;
  if (upper(sourceOffset) == 0 && load<u64>(sourceOffset) < u64(sourceLength)) from = usize(load<u64>(sourceOffset));
  const present = min(length, sourceLength - from);
  move(to, source + from, present);
  if (present < length) memory.fill(to + present, 0, length - present);
  return gas;
}

/** MCOPY */
export function copyWithin(toWord: usize, fromWord: usize, lengthWord: usize, gas: i64): i64 {
  if (isFar(lengthWord)) return chargeAll();
  const length = usize(load<u64>(lengthWord));
  if (length != 0 && (isFar(fromWord) || isFar(toWord))) return chargeAll();
  const further = load<u64>(fromWord) > load<u64>(toWord) ? fromWord : toWord;
  gas = reach(further, length, 3 * wordsOf(length), gas);
  if (gas < 0 || length == 0) return gas;
  memory.copy(memoryAt + usize(load<u64>(toWord)), memoryAt + usize(load<u64>(fromWord)), length);
  return gas;
}

const PART = memory.data(32, 16);

/** CALLDATALOAD: replaces the offset by the word there, zeros beyond the end. */
@inline
export function loadData(at: usize, data: usize, length: u64): void {
  const offset = load<u64>(at);
  if (upper(at) != 0 || offset >= length) {
    clear(at);
  } else if (offset + 32 <= length) {
    swap(at, data + usize(offset));
  } else {
    clear(PART);
    memory.copy(PART, data + usize(offset), usize(length - offset));
    copy(at, PART);
    swap(at, at);
  }
}
