// Call frames on a stack of their own, so that 1024 nested calls need no recursion. The running frame's registers are
// globals (here) and locals of the loop; `pc`, `sp` and `gas` are in the frame while another one runs.
import { analysisOf } from './codes';
import { allocate, release, reserve } from './heap';
import {
  A_ADDRESS, C_BYTES, C_LENGTH, R_ACCOUNT, R_ANALYSIS, R_CODE, R_CODE_LENGTH, R_DATA, R_DATA_LENGTH, R_GAS, R_MEMORY,
  R_MEMORY_BYTES, R_MEMORY_ROOM, R_PC, R_SELF, R_SP, R_STACK, R_START_GAS, R_STATIC, S_STACK_SIZE,
} from './layout';
import { SCHEDULE } from './schedule';
import { move, trimAddress } from './word';

/** Maximum number of nested frames, without the outermost. */
export const MOST_DEPTH: u32 = 1024;

const FRAME_BYTES: usize = 192;

const FRAMES = memory.data(1025 * 192, 16);

let stack: usize = 0;
let stackRoom: u32 = 0;

export let depth: u32 = 0;
export let frame: usize = 0;
export let account: usize = 0;
export let isStatic: bool = false;
export let codeAt: usize = 0;
export let codeLength: u32 = 0;
export let analysis: usize = 0;
export let dataAt: usize = 0;
export let dataLength: u32 = 0;
export let memoryAt: usize = 0;
export let memoryBytes: usize = 0;
export let memoryRoom: usize = 0;

// Results of the frame that ended.
export let gasLeft: i64 = 0;
export let outputAt: usize = 0;
export let outputLength: usize = 0;

@inline
export function setOutput(at: usize, length: usize): void {
  outputAt = at;
  outputLength = length;
}

@inline
export function setGasLeft(gas: i64): void {
  gasLeft = gas;
}

@inline
export function setMemory(at: usize, bytes: usize, room: usize): void {
  memoryAt = at;
  memoryBytes = bytes;
  memoryRoom = room;
}

/** Stack space for all possible frames: only used pages cost memory. */
export function prepareStack(): void {
  const size = load<u32>(SCHEDULE, S_STACK_SIZE);
  if (size <= stackRoom) return;
  stack = reserve((usize(MOST_DEPTH + 2) * size) << 5);
  if (!stack) unreachable();
  stackRoom = size;
}

/** Returns the start of the outermost frame's stack. */
export function stackBottom(): usize {
  return stack;
}

/** Reserves a frame, whose fields are set until `beginFrame`. */
@inline
export function nextFrame(outermost: bool): usize {
  return outermost ? FRAMES : frame + FRAME_BYTES;
}

@inline
export function describeSelf(next: usize, self: usize): void {
  store<u32>(next, u32(self), R_ACCOUNT);
  trimAddress(next + R_SELF, self + A_ADDRESS);
}

/** Makes the prepared frame the running one. */
export function beginFrame(next: usize, outermost: bool, code: usize, bottom: usize, gas: i64): void {
  if (outermost) depth = 0;
  else {
    store<u32>(frame, u32(memoryAt), R_MEMORY);
    store<u32>(frame, u32(memoryBytes), R_MEMORY_BYTES);
    store<u32>(frame, u32(memoryRoom), R_MEMORY_ROOM);
    depth++;
  }
  store<u32>(next, u32(code + C_BYTES), R_PC);
  store<u32>(next, u32(bottom), R_SP);
  store<u32>(next, u32(bottom), R_STACK);
  store<i64>(next, gas, R_GAS);
  store<i64>(next, gas, R_START_GAS);
  store<u32>(next, u32(code + C_BYTES), R_CODE);
  store<u32>(next, load<u32>(code, C_LENGTH), R_CODE_LENGTH);
  store<u32>(next, u32(analysisOf(code)), R_ANALYSIS);
  select(next);
  setMemory(0, 0, 0);
}

@inline
function select(next: usize): void {
  frame = next;
  account = load<u32>(next, R_ACCOUNT);
  isStatic = load<u32>(next, R_STATIC) != 0;
  codeAt = load<u32>(next, R_CODE);
  codeLength = load<u32>(next, R_CODE_LENGTH);
  analysis = load<u32>(next, R_ANALYSIS);
  dataAt = load<u32>(next, R_DATA);
  dataLength = load<u32>(next, R_DATA_LENGTH);
}

/** Returns to the calling frame. */
export function resumeCaller(): void {
  depth--;
  select(frame - FRAME_BYTES);
  setMemory(load<u32>(frame, R_MEMORY), load<u32>(frame, R_MEMORY_BYTES), load<u32>(frame, R_MEMORY_ROOM));
}

/** Frees the running frame's memory. */
@inline
export function releaseMemory(): void {
  if (memoryAt) release(memoryAt, memoryRoom);
}

// Return data of the last call that ended, whichever frame made it.
export let returnAt: usize = 0;
export let returnLength: usize = 0;
let returnRoom: usize = 0;

/** Returns the address to write `length` bytes of return data to. */
export function returnBuffer(length: usize): usize {
  returnLength = length;
  if (length > returnRoom) {
    if (returnAt) release(returnAt, returnRoom);
    returnRoom = max<usize>(length, 4096);
    returnAt = allocate(returnRoom);
  }
  return returnAt;
}

export function setReturnData(from: usize, length: usize): void {
  move(returnBuffer(length), from, length);
}
