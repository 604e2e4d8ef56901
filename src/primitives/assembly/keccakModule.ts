// The module behind primitives/keccak.ts: one input area that grows on demand, one output area.
import { keccak } from './keccak';

const OUTPUT = memory.data(32);
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
