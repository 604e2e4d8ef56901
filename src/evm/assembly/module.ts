// The module's exports to TypeScript. It has four builds: see scripts/buildWasm.mjs.
import {
  accountDiffers, accountOf, addBalance, codeDiffers, dirtyAccount, dirtyCount, isEmpty, setCode as putCode, setNonce as
  putNonce, subtractBalance, warmAccount as heatAccount,
} from './accounts';
import { blobHashesAt } from './blobs';
import { ENTERED, MESSAGE, startMessage } from './calls';
import { codeFrom, codeOf, newCode } from './codes';
import { startCreationMessage } from './creates';
import { abandon, execute } from './execute';
import { gasLeft, nextFrame, prepareStack, returnAt, returnBuffer, returnLength, untouchedBytes } from './frames';
import { setHashFactors } from './hash';
import { allocate, release } from './heap';
import { addRefund, journalLength, refund, revertTo } from './journal';
import { R_SELF } from './layout';
import { logsAt, logsLength } from './logs';
import { setPrecompiles } from './precompiles';
import { ENVIRONMENT, OPS, SCHEDULE, setOpTable, setWork, work } from './schedule';
import { differingSlot, slotOf, warmSlot as heatSlot, writeSlot } from './slots';
import { FRAME_EVENT, STEP } from './trace';
import { beginTransaction, endTransaction, resetWorld, settle } from './transactions';

export {
  accountDiffers, accountOf, addBalance, addRefund, beginTransaction, blobHashesAt, codeDiffers, codeOf, differingSlot,
  dirtyAccount, endTransaction, journalLength, logsAt, logsLength, newCode, prepareStack, putNonce as setNonce,
  resetWorld, returnBuffer, revertTo, setHashFactors, setOpTable, setPrecompiles, settle, slotOf, subtractBalance,
  untouchedBytes,
};

let input: usize = 0;
let inputRoom: usize = 0;

/** Returns the address to write `length` bytes of call data, init code or code to. */
export function inputAt(length: usize): usize {
  if (length > inputRoom) {
    if (input) release(input, inputRoom);
    inputRoom = max<usize>(length, 4096);
    input = allocate(inputRoom);
  }
  return input;
}

export function opsAt(): usize {
  return OPS;
}

export function scheduleAt(): usize {
  return SCHEDULE;
}

export function environmentAt(): usize {
  return ENVIRONMENT;
}

export function messageAt(): usize {
  return MESSAGE;
}

/** Address word of the account that the last message ran or created. */
export function outermostSelf(): usize {
  return nextFrame(true) + R_SELF;
}

export function stepAt(): usize {
  return STEP;
}

export function frameEventAt(): usize {
  return FRAME_EVENT;
}

/** Runs the message written at `messageAt` with the first bytes of the input as call data; returns the halt code. */
export function runMessage(length: usize, gas: i64): i32 {
  const start = startMessage(input, length, gas);
  return start == ENTERED ? execute() : -i32(start);
}

/** Runs a creation: the first bytes of the input are init code. */
export function runCreation(kind: i32, nonce: u64, length: usize, gas: i64): i32 {
  const start = startCreationMessage(kind, nonce, input, length, gas);
  return start == ENTERED ? execute() : -i32(start);
}

/** How much gas may be spent before the run pauses; only where EXACT. */
export function setWorkLeft(amount: i64): void {
  setWork(amount);
}

export function workLeft(): i64 {
  return work;
}

/** Goes on with a run that has paused. */
export function resumeRun(): i32 {
  return execute();
}

/** Ends a run that has paused, and undoes what it did. */
export function abandonRun(): void {
  abandon();
}

export function gasLeftOver(): i64 {
  return gasLeft;
}

export function returnDataAt(): usize {
  return returnAt;
}

export function returnDataLength(): usize {
  return returnLength;
}

export function refundCounter(): i64 {
  return refund;
}

export function isEmptyAccount(account: usize): bool {
  return isEmpty(account);
}

export function dirtyAccounts(): u32 {
  return dirtyCount;
}

/** Sets an account's code to the first bytes of the input. */
export function setCode(account: usize, length: usize): void {
  putCode(account, codeFrom(input, length));
}

export function setSlot(account: usize, key: usize, value: usize): void {
  writeSlot(slotOf(account, key), value);
}

export function warmAccount(account: usize): void {
  heatAccount(account);
}

export function warmSlot(account: usize, key: usize): void {
  heatSlot(slotOf(account, key));
}
