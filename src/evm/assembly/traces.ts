// Code that was compiled: functions in the module's table, each of which runs a trace, the likely way from the start of a
// block on, and then calls the next. What they do not do themselves they leave to the interpreter, which gives the frame
// back at the next block that a trace begins with. Why: docs/adr/0015-compiled-contracts.md.
import { byteAt } from './bitwise';
import { call } from './calls';
import { codeAt, dataAt, dataLength, frame, setGasLeft, setOutput } from './frames';
import { ALONE, finish, PAID, run, UNPAID } from './interpreter';
import {
  C_BYTES, C_WORK, HALT_OUT_OF_GAS, HALT_STOP, LEFT_AT_BLOCK, LEFT_WITHIN_BLOCK, R_GAS, R_PC, R_SP, R_TRACES,
} from './layout';
import { copyIn, loadData, reach } from './memory';
import { set } from './word';

/** Runs the frame as `run` does, compiled where it is. */
export function runFrame(): i32 {
  const traces = usize(load<u32>(frame, R_TRACES));
  if (!traces) return run(ALONE);
  const trace = u32(load<u16>(traces + ((usize(load<u32>(frame, R_PC)) - codeAt) << 1)));
  if (!trace) return run(UNPAID);
  const halt = call_indirect<i32>(trace, frame, usize(load<u32>(frame, R_SP)), load<i64>(frame, R_GAS));
  if (halt == LEFT_WITHIN_BLOCK) return run(PAID);
  return halt == LEFT_AT_BLOCK ? run(UNPAID) : halt;
}

/** Adds to the gas that the running frame's code has used. */
@inline
export function countWork(gas: i64): void {
  const code = codeAt - C_BYTES;
  store<i64>(code, load<i64>(code, C_WORK) + gas, C_WORK);
}

const OFFSET = memory.data(32, 16);

/** Pays for a word of memory, and grows memory. */
export function reachWord(offset: u64, gas: i64): i64 {
  set(OFFSET, offset);
  return reach(OFFSET, 32, 0, gas);
}

/** BYTE */
export function byteWord(to: usize, i: usize, x: usize): void {
  byteAt(to, i, x);
}

/** CALLDATALOAD */
export function loadDataWord(at: usize): void {
  loadData(at, dataAt, u64(dataLength));
}

/** CALLDATACOPY: length, offset in the data, offset in memory, from the bottom. */
export function copyData(args: usize, gas: i64): i64 {
  return copyIn(args + 64, args + 32, args, dataAt, dataLength, 0, gas);
}

// Compiled code takes the gas of a block off when it gets there, and looks at what is left only here and there.

/** Leaves the frame to the interpreter, at the start of a block. */
export function leaveAtBlock(sp: usize, gas: i64, position: usize): i32 {
  save(sp, gas, position);
  return LEFT_AT_BLOCK;
}

/** Leaves the frame to the interpreter, within a block. */
export function leaveWithinBlock(sp: usize, gas: i64, position: usize): i32 {
  if (gas < 0) return HALT_OUT_OF_GAS;
  save(sp, gas, position);
  return LEFT_WITHIN_BLOCK;
}

@inline
function save(sp: usize, gas: i64, position: usize): void {
  store<u32>(frame, u32(codeAt + position), R_PC);
  store<u32>(frame, u32(sp), R_SP);
  store<i64>(frame, gas, R_GAS);
}

/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the frame continues at a position. */
export function callFrame(kind: i32, args: usize, gas: i64, position: usize): i64 {
  if (gas < 0) return -HALT_OUT_OF_GAS;
  save(args, gas, position);
  return call(kind, args, gas);
}

/** RETURN and REVERT */
export function endFrameWith(halt: i32, args: usize, gas: i64): i32 {
  if (gas < 0) return HALT_OUT_OF_GAS;
  gas = finish(args, gas);
  return gas < 0 ? -i32(gas) : halt;
}

/** STOP */
export function stopFrame(gas: i64): i32 {
  if (gas < 0) return HALT_OUT_OF_GAS;
  setOutput(0, 0);
  setGasLeft(gas);
  return HALT_STOP;
}
