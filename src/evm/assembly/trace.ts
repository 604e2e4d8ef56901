// Reports to tracers. Compiled into the exact build only: everything here is used behind `if (EXACT)`.
import { codeLength, depth, frame, memoryAt, memoryBytes, returnAt, returnLength } from './frames';
import { hostEnter, hostExit, hostStep, hostStepEnd } from './host';
import { refund } from './journal';
import {
  F_CODE_ADDRESS, F_DATA, F_DATA_BYTES, F_DEPTH, F_FROM, F_GAS, F_HALT, F_KIND, F_RUNS, F_TO, F_VALUE,
  FRAME_EVENT_BYTES, HALT_OUT_OF_GAS, HALT_REVERT, MUTED_BYTES, R_SELF, R_STACK, STEP_BYTES, T_COST, T_DEPTH, T_GAS,
  T_HALT, T_MEMORY, T_MEMORY_BYTES, T_MUTED, T_OP, T_PASSED_GAS, T_PC, T_REFUND, T_RETURN_BYTES, T_RETURN_DATA, T_SELF,
  T_STACK, T_STACK_WORDS,
} from './layout';
import { setStepCost, stepCost } from './schedule';
import { copy, trimAddress } from './word';

export const STEP = EXACT ? memory.data(STEP_BYTES + MUTED_BYTES, 16) : memory.data(STEP_BYTES, 16);
export const FRAME_EVENT = memory.data(FRAME_EVENT_BYTES, 16);

/** The start of a step was reported and its end was not yet. */
let open: bool = false;

/** The last step was not reported: only its failure would be. */
let quiet: bool = false;

/** The step cannot be paid, but runs to find its whole cost; its frame then fails, which reverts it. */
export let unpaid: bool = false;

/** Returns gas so low that the step runs out of it at the next check. */
export function leaveUnpaid(): i64 {
  unpaid = true;
  return i64.MIN_VALUE >> 1;
}

function describeMachine(): void {
  store<u32>(STEP, u32(memoryAt), T_MEMORY);
  store<u32>(STEP, u32(memoryBytes), T_MEMORY_BYTES);
  store<u32>(STEP, u32(returnAt), T_RETURN_DATA);
  store<u32>(STEP, u32(returnLength), T_RETURN_BYTES);
  store<i64>(STEP, refund, T_REFUND);
}

/** Reports a step before its opcode is charged and runs, and the end of the step before. Empty code has no steps. */
export function beginStep(pc: usize, op: u32, sp: usize, gas: i64): void {
  if (codeLength == 0) return;
  const bottom = load<u32>(frame, R_STACK);
  const words = u32(sp - bottom) >> 5;
  // The stack after the step before, unless another frame ran or ended in between.
  if (open) store<u32>(STEP, words, T_STACK_WORDS);
  endStep(-1);
  store<u32>(STEP, u32(pc), T_PC);
  store<u32>(STEP, op, T_OP);
  store<u32>(STEP, depth, T_DEPTH);
  store<u32>(STEP, bottom, T_STACK);
  store<u32>(STEP, words, T_STACK_WORDS);
  store<i64>(STEP, gas, T_GAS);
  store<i64>(STEP, 0, T_PASSED_GAS);
  store<u32>(STEP, u32(frame + R_SELF), T_SELF);
  setStepCost(0);
  quiet = load<u8>(STEP + op, T_MUTED) != 0;
  if (quiet) return;
  describeMachine();
  open = true;
  hostStep();
}

/** Reports the end of a step: after its opcode ran or halted the frame, or before the frame that it calls begins. */
export function endStep(halt: i32): void {
  if (!open) return;
  open = false;
  store<i32>(STEP, halt, T_HALT);
  store<i64>(STEP, stepCost, T_COST);
  describeMachine();
  hostStepEnd();
}

/** Reports the end of the step that ended its frame; returns the halt code. */
export function endLastStep(halt: i32): i32 {
  if (unpaid) halt = HALT_OUT_OF_GAS;
  unpaid = false;
  if (quiet && halt > HALT_REVERT) open = true;
  endStep(halt > HALT_REVERT ? halt : -1);
  return halt;
}

export function passGas(gas: i64): void {
  setStepCost(stepCost + gas);
  store<i64>(STEP, gas, T_PASSED_GAS);
}

export function traceEnter(
  kind: i32, runs: i32, at: u32, from: usize, to: usize, code: usize, value: usize, gas: i64, data: usize, bytes: usize,
): void {
  endStep(-1);
  store<i32>(FRAME_EVENT, kind, F_KIND);
  store<i32>(FRAME_EVENT, runs, F_RUNS);
  store<u32>(FRAME_EVENT, at, F_DEPTH);
  trimAddress(FRAME_EVENT + F_FROM, from);
  trimAddress(FRAME_EVENT + F_TO, to);
  trimAddress(FRAME_EVENT + F_CODE_ADDRESS, code);
  copy(FRAME_EVENT + F_VALUE, value);
  store<i64>(FRAME_EVENT, gas, F_GAS);
  store<u32>(FRAME_EVENT, u32(data), F_DATA);
  store<u32>(FRAME_EVENT, u32(bytes), F_DATA_BYTES);
  hostEnter();
}

export function traceExit(at: u32, halt: i32, gasUsed: i64, output: usize, bytes: usize): void {
  store<u32>(FRAME_EVENT, at, F_DEPTH);
  store<i64>(FRAME_EVENT, gasUsed, F_GAS);
  store<u32>(FRAME_EVENT, u32(output), F_DATA);
  store<u32>(FRAME_EVENT, u32(bytes), F_DATA_BYTES);
  store<i32>(FRAME_EVENT, halt, F_HALT);
  hostExit();
}
