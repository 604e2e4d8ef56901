// Runs frames until the outermost one has ended.
import { ENTERED } from './calls';
import { dropCode } from './codes';
import { depositCode } from './creates';
import {
  codeLength, depth, frame, gasLeft, memoryAt, outputAt, outputLength, resumeCaller, returnAt, returnBuffer,
  returnLength, setGasLeft, setOutput, setReturnData,
} from './frames';
import { HELD_CODE_BYTE, releaseHeld } from './held';
import { run } from './interpreter';
import { dropFrame, keepFrame } from './journal';
import {
  HALT_OUT_OF_GAS, HALT_REVERT, HALT_SELFDESTRUCT, KIND_CREATE, PAUSED, R_GAS, R_KIND, R_OUTPUT, R_OUTPUT_LENGTH,
  R_OWN_CODE, R_SELF, R_SNAPSHOT, R_SP, R_START_GAS,
} from './layout';
import { endLastStep, traceExit } from './trace';
import { clear, copy, move, set } from './word';

const CREATED = memory.data(32, 16);

/** Returns the outermost frame's halt code, and its output is the return data; or PAUSED, and it can be called again. */
export function execute(): i32 {
  for (;;) {
    let halt = run();
    if (halt == -i32(ENTERED)) continue;
    if (EXACT && halt == PAUSED) return PAUSED;
    if (EXACT) halt = endLastStep(halt);
    halt = endFrame(halt);
    if (depth == 0) return halt;
    returnToCaller(halt);
  }
  return unreachable();
}

/** Ends a run that has paused, as if all its frames had run out of gas. */
export function abandon(): void {
  for (;;) {
    if (EXACT) endLastStep(HALT_OUT_OF_GAS);
    endFrame(HALT_OUT_OF_GAS);
    if (depth == 0) return;
    returnToCaller(HALT_OUT_OF_GAS);
  }
}

/** Commits or reverts the frame's changes and frees its memory; its output becomes the return data. */
function endFrame(halt: i32): i32 {
  const creates = load<i32>(frame, R_KIND) >= KIND_CREATE;
  if (creates && halt <= HALT_SELFDESTRUCT) halt = depositCode(halt);
  if (halt > HALT_SELFDESTRUCT) {
    dropFrame(load<u32>(frame, R_SNAPSHOT));
    if (halt != HALT_REVERT) {
      setGasLeft(0);
      setOutput(0, 0);
    }
  } else keepFrame();
  if (EXACT) traceExit(depth, halt, load<i64>(frame, R_START_GAS) - gasLeft, outputAt, outputLength);
  setReturnData(outputAt, outputLength);
  releaseHeld(HELD_CODE_BYTE * codeLength);
  if (creates) dropCode(load<u32>(frame, R_OWN_CODE));
  return halt;
}

/** Passes gas, output and result to the calling frame, which becomes the running one. */
function returnToCaller(halt: i32): void {
  const succeeded = halt <= HALT_SELFDESTRUCT;
  const creates = load<i32>(frame, R_KIND) >= KIND_CREATE;
  const output = usize(load<u32>(frame, R_OUTPUT)), most = usize(load<u32>(frame, R_OUTPUT_LENGTH));
  if (creates) copy(CREATED, frame + R_SELF);
  resumeCaller();
  store<i64>(frame, load<i64>(frame, R_GAS) + gasLeft, R_GAS);
  const result = usize(load<u32>(frame, R_SP));
  store<u32>(frame, u32(result + 32), R_SP);
  if (!succeeded) clear(result);
  else if (creates) copy(result, CREATED);
  else set(result, 1);
  if (!creates) move(memoryAt + output, returnAt, min(most, returnLength));
  // A contract's code is not return data.
  else if (succeeded) returnBuffer(0);
}
