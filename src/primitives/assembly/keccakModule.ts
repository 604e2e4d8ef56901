// The module behind primitives/keccak.ts: one input area that grows on demand, one output area, and the
// state of the running digest at work.
import { keccak, permute, RATE } from './keccak';

const OUTPUT = memory.data(32);
const RUNNING = memory.data(200);
const FINAL = memory.data(200);
const INPUT: usize = 0x10000;

export function outputAt(): usize {
  return OUTPUT;
}

/** Address of an input area that holds at least `size` bytes. */
export function inputAt(size: usize): usize {
  const have = usize(memory.size()) << 16;
  const need = INPUT + size;
  if (need > have) memory.grow(i32((need - have + 0xffff) >> 16));
  return INPUT;
}

export function hash(length: usize): void {
  keccak(INPUT, length, OUTPUT);
}

/** Address of the running state, which the caller writes before it continues a digest. */
export function runningAt(): usize {
  return RUNNING;
}

/** Absorbs `length` bytes of input into the running state, whose block holds `filled` bytes; returns the new fill. */
export function absorb(filled: usize, length: usize): usize {
  let at = INPUT;
  const end = INPUT + length;
  while (at < end) {
    if (filled == 0 && at + RATE <= end) {
      for (let i: usize = 0; i < RATE; i += 8) store<u64>(RUNNING + i, load<u64>(RUNNING + i) ^ load<u64>(at + i));
      at += RATE;
      permute(RUNNING);
      continue;
    }
    store<u8>(RUNNING + filled, load<u8>(RUNNING + filled) ^ load<u8>(at));
    at++;
    if (++filled == RATE) {
      permute(RUNNING);
      filled = 0;
    }
  }
  return filled;
}

/** Writes the digest of the absorbed bytes to the output; the running state does not change. */
export function squeeze(filled: usize): void {
  memory.copy(FINAL, RUNNING, 200);
  store<u8>(FINAL + filled, load<u8>(FINAL + filled) ^ 1);
  store<u8>(FINAL + RATE - 1, load<u8>(FINAL + RATE - 1) ^ 0x80);
  permute(FINAL);
  memory.copy(OUTPUT, FINAL, 32);
}
