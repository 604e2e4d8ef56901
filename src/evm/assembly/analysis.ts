// What is found out about code before it runs. Fast build: for each start of a basic block the gas and stack that the
// whole block needs, as gas (16 bits), words that must be there (8 bits), words by which the stack grows at most (7
// bits), and whether the block begins with a JUMPDEST (top bit). Other builds: a byte per position that says whether
// one may jump there.
import { HALT_INVALID_OPCODE, OP_GAS, OP_IN, OP_OUT } from './layout';
import { OPS } from './schedule';

/** In the lower 31 bits: the needs do not fit, or the block runs into an undefined opcode. `measureBlock` tells. */
export const LONG_BLOCK: u32 = 0x7fffffff;

const JUMPDEST: u32 = 0x5b;

// Needs of the block that `measureBlock` looked at last.
export let blockGas: i64 = 0;
export let blockNeeds: u32 = 0;
export let blockGrows: u32 = 0;

@inline
export function analysisBytes(length: usize): usize {
  return BLOCK_GAS ? (length + 1) << 2 : length + 1;
}

/** After these nothing is charged ahead: control leaves, or what follows depends on the exact gas. */
@inline
function endsBlock(op: u32): bool {
  return (
    op == 0x00 || // STOP
    op == 0x55 || // SSTORE looks at the gas (EIP-2200)
    op == 0x56 || // JUMP
    op == 0x57 || // JUMPI
    op == 0x5a || // GAS
    op >= 0xf0 // CREATE, calls, RETURN, REVERT, SELFDESTRUCT and what is undefined among them
  );
}

/** Measures the block that starts at `pc` (below `end`); answers where the next one starts. */
function measure(pc: usize, end: usize): usize {
  const start = pc;
  let gas: i64 = 0;
  let height: i32 = 0;
  let needs: i32 = 0;
  let grows: i32 = 0;
  while (pc < end) {
    const op = u32(load<u8>(pc));
    if (op == JUMPDEST && pc != start) break;
    const entry = OPS + (op << 3);
    const price = load<i32>(entry, OP_GAS);
    if (price < 0) {
      gas = -1;
      pc++;
      break;
    }
    gas += price;
    needs = max(needs, i32(load<u16>(entry, OP_IN)) - height);
    height += i32(load<u16>(entry, OP_OUT)) - i32(load<u16>(entry, OP_IN));
    grows = max(grows, height);
    pc += op >= 0x60 && op < 0x80 ? usize(op - 0x5e) : 1;
    if (endsBlock(op)) break;
  }
  blockGas = gas;
  blockNeeds = needs;
  blockGrows = grows;
  return pc;
}

/** Measures a LONG_BLOCK; answers 0 or the halt that it ends in. */
export function measureBlock(pc: usize, end: usize): i32 {
  measure(pc, end);
  return blockGas < 0 ? HALT_INVALID_OPCODE : 0;
}

export function analyse(code: usize, length: usize, to: usize): void {
  const end = code + length;
  memory.fill(to, 0, analysisBytes(length));
  if (BLOCK_GAS) {
    let pc = code;
    while (pc < end) {
      const at = to + ((pc - code) << 2);
      const first = u32(load<u8>(pc));
      pc = measure(pc, end);
      const fits = u64(blockGas) < 0xffff && blockNeeds < 0xff && blockGrows < 0x7f;
      const needs = fits ? u32(blockGas) | (blockNeeds << 16) | (blockGrows << 24) : LONG_BLOCK;
      store<u32>(at, needs | (u32(first == JUMPDEST) << 31));
    }
  } else {
    for (let pc = code; pc < end; pc++) {
      const op = u32(load<u8>(pc));
      if (op == JUMPDEST) store<u8>(to + (pc - code), 1);
      else if (op >= 0x60 && op < 0x80) pc += op - 0x5f;
    }
  }
}
