// Prices and limits of the fork, and the environment: written by TypeScript, read by the opcodes.
import { ENVIRONMENT_BYTES, HALT_OUT_OF_GAS, S_RULES, SCHEDULE_BYTES } from './layout';

export const OPS = memory.data(256 * 8);
export const SCHEDULE = memory.data(SCHEDULE_BYTES);
export const ENVIRONMENT = memory.data(ENVIRONMENT_BYTES);

/** Number of the current opcode table: analyses for another one are stale. */
export let opTable: u32 = 0;

/** Gas charged by the current step; only while tracing. */
export let stepCost: i64 = 0;

export function setOpTable(id: u32): void {
  opTable = id;
}

@inline
export function setStepCost(cost: i64): void {
  stepCost = cost;
}

@inline
export function price(item: usize): i64 {
  return i64(load<u32>(SCHEDULE + item));
}

@inline
export function has(rule: u32): bool {
  return (load<u32>(SCHEDULE, S_RULES) & rule) != 0;
}

/** Gas that may be spent before the run pauses, whatever gas frames have; only where EXACT. */
export let work: i64 = 0;

export function setWork(amount: i64): void {
  work = amount;
}

@inline
export function spend(cost: i64): void {
  work -= cost;
}

/** Returns the gas left after paying, or the negated halt code, like all functions that charge gas. */
@inline
export function charge(gas: i64, cost: i64): i64 {
  if (EXACT) stepCost += cost;
  if (EXACT) spend(cost);
  const left = gas - cost;
  return left < 0 ? -HALT_OUT_OF_GAS : left;
}

/** Returns the negated halt code for an operand that no amount of gas can pay for. */
export function chargeAll(): i64 {
  if (EXACT) stepCost = i64.MAX_VALUE;
  return -HALT_OUT_OF_GAS;
}
