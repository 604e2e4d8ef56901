// Analysis of code. Fast build: for each start of a basic block the needs of the whole block, as gas (16 bits), words
// that must be on the stack (8 bits), words by which the stack grows at most (7 bits), and whether the block begins
// with a JUMPDEST (top bit). Other builds: a byte per position that says whether it is a jump destination. Code is
// analysed only as far as it was reached: behind init code is the code that it deploys.
import { HALT_INVALID_OPCODE, OP_GAS, OP_IN, OP_OUT } from './layout';
import { OPS } from './schedule';

/**
 * In the lower 31 bits: the block was not reached yet (see `extend`), or its needs do not fit or it runs into an undefined
 * opcode (see `measureBlock`). All its bytes are equal, so that a table can be filled with it.
 */
export const LONG_BLOCK: u32 = 0x7f7f7f7f;

const JUMPDEST: u32 = 0x5b;

// Needs of the block that `measureBlock` measured last.
export let blockGas: i64 = 0;
export let blockNeeds: u32 = 0;
export let blockGrows: u32 = 0;

/** After the positions, including the one after the last, is the number of analysed ones. */
@inline
function frontierAt(analysis: usize, length: usize): usize {
  return analysis + (EXACT ? (length + 4) & ~3 : (length + 1) << 2);
}

@inline
export function analysisBytes(length: usize): usize {
  return frontierAt(0, length) + 4;
}

/** Whether the position was analysed. */
@inline
export function isReached(analysis: usize, length: usize, position: usize): bool {
  return position < usize(load<u32>(frontierAt(analysis, length)));
}

/** Whether a block ends after the opcode: control leaves, or what follows depends on the exact gas. */
@inline
function endsBlock(op: u32): bool {
  return (
    op == 0x00 || // STOP
    op == 0x55 || // SSTORE looks at the gas (EIP-2200)
    op == 0x56 || // JUMP
    op == 0x57 || // JUMPI
    op == 0x5a || // GAS
    op >= 0xf0 // CREATE, calls, RETURN, REVERT, SELFDESTRUCT and undefined opcodes
  );
}

/** Measures the block that starts at `pc` (below `end`); returns the start of the next one. */
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

/** Measures a LONG_BLOCK; returns 0 or the halt that it ends in. */
export function measureBlock(pc: usize, end: usize): i32 {
  measure(pc, end);
  return blockGas < 0 ? HALT_INVALID_OPCODE : 0;
}

/** Creates an analysis without any analysed position. */
export function beginAnalysis(length: usize, analysis: usize): void {
  memory.fill(analysis, EXACT ? 0 : u8(LONG_BLOCK), frontierAt(0, length));
  // The STOP after the code needs nothing.
  if (!EXACT) store<u32>(analysis + (length << 2), 0);
  store<u32>(frontierAt(analysis, length), 0);
}

/** Continues the analysis past `position`, which is in the code and not analysed yet. */
export function extend(code: usize, length: usize, analysis: usize, position: usize): void {
  const end = code + length;
  let pc = code + usize(load<u32>(frontierAt(analysis, length)));
  while (pc <= code + position) pc = EXACT ? addPosition(code, pc, analysis) : addBlock(code, pc, end, analysis);
  store<u32>(frontierAt(analysis, length), u32(pc - code));
}

function addBlock(code: usize, pc: usize, end: usize, analysis: usize): usize {
  const at = analysis + ((pc - code) << 2);
  const first = u32(load<u8>(pc));
  const next = measure(pc, end);
  const fits = u64(blockGas) < 0xffff && blockNeeds < 0xff && blockGrows < 0x7f;
  const needs = fits ? u32(blockGas) | (blockNeeds << 16) | (blockGrows << 24) : LONG_BLOCK;
  store<u32>(at, needs | (u32(first == JUMPDEST) << 31));
  return next;
}

function addPosition(code: usize, pc: usize, analysis: usize): usize {
  const op = u32(load<u8>(pc));
  if (op == JUMPDEST) store<u8>(analysis + (pc - code), 1);
  return pc + (op >= 0x60 && op < 0x80 ? usize(op - 0x5e) : 1);
}
