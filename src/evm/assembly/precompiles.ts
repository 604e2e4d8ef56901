// The addresses of precompiles: a bit each for the low ones, a list for the others.
import { allocate, release } from './heap';
import { copy } from './word';

const LOW: u64 = 512;
const LOW_BITS = memory.data(64);

let others: usize = 0;
let othersCount: u32 = 0;
let othersRoom: u32 = 0;

/** Replaces the set by `count` address words. */
export function setPrecompiles(words: usize, count: u32): void {
  memory.fill(LOW_BITS, 0, 64);
  if (count > othersRoom) {
    if (others) release(others, othersRoom << 5);
    others = allocate(count << 5);
    othersRoom = count;
  }
  othersCount = 0;
  for (let i: u32 = 0; i < count; i++) {
    const word = words + (i << 5);
    const low = load<u64>(word);
    if ((load<u64>(word, 8) | load<u64>(word, 16)) == 0 && low < LOW) {
      const at = LOW_BITS + usize(low >> 3);
      store<u8>(at, load<u8>(at) | (1 << u8(low & 7)));
    } else copy(others + (othersCount++ << 5), word);
  }
}

/** Whether the 20 bytes, of an address word or of an account entry, are a precompile's address. */
@inline
export function isPrecompile(address: usize): bool {
  const low = load<u64>(address);
  if ((load<u64>(address, 8) | u64(load<u32>(address, 16))) == 0 && low < LOW) {
    return ((load<u8>(LOW_BITS + usize(low >> 3)) >> u8(low & 7)) & 1) != 0;
  }
  return othersCount != 0 && isOther(address);
}

function isOther(address: usize): bool {
  for (let i: u32 = 0; i < othersCount; i++) {
    const word = others + (i << 5);
    if (
      load<u64>(word) == load<u64>(address) &&
      load<u64>(word, 8) == load<u64>(address, 8) &&
      load<u32>(word, 16) == load<u32>(address, 16)
    ) return true;
  }
  return false;
}
