// Call frames on a stack of their own, so that 1024 nested calls need no recursion. The running frame's registers are
// globals (here) and locals of the loop; `pc`, `sp` and `gas` are in the frame while another one runs.
import { analysisOf } from './codes';
import { allocate, blockBytes, release, reserve } from './heap';
import { forgetHeld, HELD_CODE_BYTE, hold } from './held';
import { hostExhausted } from './host';
import {
  A_ADDRESS, C_BYTES, C_LENGTH, R_ACCOUNT, R_ANALYSIS, R_CODE, R_CODE_LENGTH, R_DATA, R_DATA_LENGTH, R_GAS, R_MEMORY,
  R_MEMORY_BYTES, R_PC, R_SELF, R_SP, R_STACK, R_START_GAS, R_STATIC, S_STACK_SIZE,
} from './layout';
import { SCHEDULE } from './schedule';
import { move, trimAddress } from './word';

/** Maximum number of nested frames, without the outermost. */
export const MOST_DEPTH: u32 = 1024;

const FRAME_BYTES: usize = 192;

const FRAMES = memory.data(1025 * 192, 16);

/** Bytes of memory that all frames of a transaction may have together. Why so many: docs/adr/0004-evm-in-linear-memory.md. */
export const MOST_MEMORY: usize = 768 << 20;

/** Where frames have their memory, one behind the other: all of them if they need little, see `memoryFor`. */
const FEW_BYTES: usize = 16 << 20;
let fewAt: usize = 0;
let manyAt: usize = 0;
/** Bytes at `manyAt` that some frame has used. */
let manyUsed: usize = 0;

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
/** Bytes of memory of the frames below the running one. */
export let callersMemory: usize = 0;

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
export function setMemory(at: usize, bytes: usize): void {
  memoryAt = at;
  memoryBytes = bytes;
}

/**
 * Returns where the running frame has room for so many bytes of memory: where it is, or, if that is full, in a place that has room for
 * all that a transaction may use. Frames above it then are there too. So no frame's memory lies in the way of another, whatever ran
 * before, and what two frames need never adds up to more than their bytes.
 */
export function memoryFor(bytes: usize): usize {
  const isFew = memoryAt >= fewAt && memoryAt <= fewAt + FEW_BYTES;
  if (isFew && memoryAt + bytes <= fewAt + FEW_BYTES) return memoryAt;
  if (!manyAt) manyAt = reserve(MOST_MEMORY);
  const at = isFew ? manyAt : memoryAt;
  manyUsed = max(manyUsed, at + bytes - manyAt);
  return at;
}

/** Memory and stack space for all possible frames: only used pages cost memory. */
export function prepareStack(): void {
  if (!fewAt) fewAt = reserve(FEW_BYTES);
  const size = load<u32>(SCHEDULE, S_STACK_SIZE);
  if (size <= stackRoom) return;
  stack = reserve((usize(MOST_DEPTH + 2) * size) << 5);
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
  if (outermost) {
    depth = 0;
    callersMemory = 0;
    forgetHeld();
    setMemory(fewAt, 0);
  } else {
    store<u32>(frame, u32(memoryAt), R_MEMORY);
    store<u32>(frame, u32(memoryBytes), R_MEMORY_BYTES);
    depth++;
    callersMemory += memoryBytes;
    setMemory(memoryAt + memoryBytes, 0);
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
  hold(HELD_CODE_BYTE * codeLength);
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

/** Returns the code entry that the frame at a depth runs or, if none is there, ran; 0 if there never was one. */
export function codeAtDepth(i: u32): usize {
  const at = usize(load<u32>(FRAMES + usize(i) * FRAME_BYTES, R_CODE));
  return at ? at - C_BYTES : 0;
}

/** Returns to the calling frame. */
export function resumeCaller(): void {
  depth--;
  select(frame - FRAME_BYTES);
  setMemory(load<u32>(frame, R_MEMORY), load<u32>(frame, R_MEMORY_BYTES));
  callersMemory -= memoryBytes;
}

// Return data of the last call that ended, no matter which frame made it.
export let returnAt: usize = 0;
export let returnLength: usize = 0;
let returnRoom: usize = 0;
/** Bytes of a buffer for much return data that were used. */
let returnUsed: usize = 0;

/** Bytes that are reserved for much memory and return data, and were never used: they cost nothing. */
export function untouchedBytes(): usize {
  return (manyAt ? MOST_MEMORY - manyUsed : 0) + (returnRoom == MOST_MEMORY ? MOST_MEMORY - returnUsed : 0);
}

/** Returns the address to write `length` bytes of return data to: no more than a frame's memory. */
export function returnBuffer(length: usize): usize {
  returnLength = length;
  if (length > returnRoom) {
    if (returnAt) release(returnAt, returnRoom);
    if (length <= FEW_BYTES) {
      returnRoom = max<usize>(blockBytes(length), 4096);
      returnAt = allocate(returnRoom);
    } else {
      if (length > MOST_MEMORY) hostExhausted();
      returnRoom = MOST_MEMORY;
      returnAt = reserve(MOST_MEMORY);
    }
  }
  if (length > FEW_BYTES) returnUsed = max(returnUsed, length);
  return returnAt;
}

export function setReturnData(from: usize, length: usize): void {
  move(returnBuffer(length), from, length);
}
