// bn254 (EIP-196, EIP-197) for machines with a fused multiply-add.
import { INTO_FORM } from './bytes';
import { BETA, THREES } from './curve';
import { PAIR } from './pairing';
import { ONE, ONES, ROOTS } from './tower';
import { TWIST } from './twist';

export { multiplyPoint, readPoint, writePoint } from './curve';
export { isFused } from '../../../../primitives/assembly/fused';
export { setModulus } from './field';
export { isProductOne, readPair } from './pairing';

/** Returns the address of a constant: R², 1 and 3 and β in both lanes, 1, b and 3b of the twist, roots of ξ. */
export function constantAt(i: i32): usize {
  switch (i) {
    case 0: return INTO_FORM;
    case 1: return ONES;
    case 2: return THREES;
    case 3: return BETA;
    case 4: return ONE;
    case 5: return TWIST;
    case 6: return TWIST + 80;
    default: return ROOTS + usize(i - 7) * 80;
  }
}

/** Reserves memory for pairs, followed by bytes. */
export function areaAt(pairs: usize, bytes: usize): usize {
  const have = usize(memory.size()) << 16;
  const need = __heap_base + 16 + pairs * PAIR + bytes;
  if (need > have) memory.grow(i32((need - have + 0xffff) >> 16));
  return (__heap_base + 15) & ~15;
}
