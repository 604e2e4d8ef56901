// CALL, CALLCODE, DELEGATECALL, STATICCALL, and message calls from outside.
import {
  accountOf, addBalance, exists, isEmpty, isReadOnly, seeAccount, subtractBalance, touchSurcharge, warmAccount,
} from './accounts';
import { codeOf, EMPTY_CODE } from './codes';
import {
  account, beginFrame, depth, describeSelf, frame, isStatic, memoryAt, MOST_DEPTH, nextFrame, returnAt, returnBuffer,
  returnLength, setGasLeft, stackBottom,
} from './frames';
import { HELD_CODE_BYTE, hasRoomFor } from './held';
import { hostPrecompile } from './host';
import { dropFrame, journalLength, keepFrame } from './journal';
import {
  A_BALANCE, C_BYTES, C_LENGTH, HALT_INSUFFICIENT_BALANCE, HALT_OUT_OF_GAS, HALT_STATIC_VIOLATION, HALT_STOP,
  KIND_CALL, KIND_CALLCODE, KIND_DELEGATECALL, KIND_STATICCALL, M_CODE_ADDRESS, M_FLAGS, M_FROM, M_TO, M_VALUE,
  MESSAGE_BYTES, MESSAGE_KEEPS_VALUE, MESSAGE_STATIC, R_CALLER, R_DATA, R_DATA_LENGTH, R_GAS, R_KIND, R_OUTPUT,
  R_OUTPUT_LENGTH, R_OWN_CODE, R_SELF, R_SNAPSHOT, R_STATIC, R_VALUE, RULE_DELEGATION, RULE_EMPTY_IS_DEAD,
  RULE_KEEP_A_64TH, RULE_SHARED_CHANGES, RUNS_CODE, RUNS_NOTHING, RUNS_PRECOMPILE, S_COLD_ACCOUNT, S_WARM_ACCESS,
} from './layout';
import { growthCost, growTo, isFar } from './memory';
import { isPrecompile } from './precompiles';
import { charge, chargeAll, has, price, spend } from './schedule';
import { passGas, traceEnter, traceExit } from './trace';
import { clear, copy, isZero, less, move, set, swap, trimAddress, upper } from './word';

/** Returned instead of gas: another frame runs now. */
export const ENTERED: i64 = -100;

const VALUE_PRICE: i64 = 9000;
const NEW_ACCOUNT_PRICE: i64 = 25000;
/** What counts as work of a precompile that fails: no less than the most expensive one, a pairing. */
const FAILED_PRICE: i64 = 50000;
const FAILED_BYTE_PRICE: i64 = 200;
const STIPEND: i64 = 2300;

export const MESSAGE = memory.data(MESSAGE_BYTES, 16);

const ZERO = memory.data(32, 16);
const DELEGATE = memory.data(32, 16);
const PRECOMPILE = memory.data(32, 16);

// The code or precompile of the call that is being prepared.
export let code: usize = 0;
let codeOwner: usize = 0;

/** Chooses the code of an account, following a delegation once; returns the cost of the delegate's first access. */
function chooseCode(target: usize): i64 {
  codeOwner = target;
  code = codeOf(target);
  if (!has(RULE_DELEGATION) || !isDelegation(code)) return 0;
  swap(DELEGATE, code + C_BYTES - 9);
  codeOwner = accountOf(DELEGATE);
  seeAccount(codeOwner);
  const cost = warmAccount(codeOwner) ? price(S_COLD_ACCOUNT) : price(S_WARM_ACCESS);
  // A delegation to a precompile runs empty code.
  code = isPrecompile(codeOwner) ? EMPTY_CODE : codeOf(codeOwner);
  return cost;
}

/** Whether the code is a delegation: 0xef0100 and an address (EIP-7702). */
@inline
function isDelegation(code: usize): bool {
  return load<u32>(code, C_LENGTH) == 23 && (load<u32>(code, C_BYTES) & 0xffffff) == 0x0001ef;
}

/** Returns the callee's gas: as requested, but at most all but a 64th of the gas left; -1 if there is not enough. */
@inline
function calleeGas(asked: usize, gas: i64): i64 {
  const fits = upper(asked) == 0;
  if (has(RULE_KEEP_A_64TH)) {
    const most = gas - (gas >> 6);
    return fits && load<u64>(asked) < u64(most) ? load<i64>(asked) : most;
  }
  return fits && load<u64>(asked) <= u64(gas) ? load<i64>(asked) : -1;
}

/**
 * The four opcodes. From the bottom `args` has: output length and offset, input length and offset, value (only the
 * first two kinds), address, gas. The result goes to `args`.
 */
export function call(kind: i32, args: usize, gas: i64): i64 {
  const showsValue = kind <= KIND_CALLCODE;
  const asked = args + (showsValue ? 192 : 160);
  const to = asked - 32;
  const value = showsValue ? args + 128 : ZERO;
  const pays = showsValue && !isZero(value);
  if (pays && isStatic && kind == KIND_CALL) return -HALT_STATIC_VIOLATION;

  if (isFar(args + 64) || isFar(args)) return chargeAll();
  const inputLength = usize(load<u64>(args, 64)), outputLength = usize(load<u64>(args));
  if ((inputLength && isFar(args + 96)) || (outputLength && isFar(args + 32))) return chargeAll();
  const input = inputLength ? usize(load<u64>(args, 96)) : 0;
  const output = outputLength ? usize(load<u64>(args, 32)) : 0;
  const end = max(inputLength ? input + inputLength : 0, outputLength ? output + outputLength : 0);

  const target = accountOf(to);
  let cost = growthCost(end) + touchSurcharge(target, price(S_WARM_ACCESS));
  if (pays) cost += VALUE_PRICE;
  if (kind == KIND_CALL && (has(RULE_EMPTY_IS_DEAD) ? pays && isEmpty(target) : !exists(target))) {
    cost += NEW_ACCOUNT_PRICE;
  }
  cost += chooseCode(target);
  gas = charge(gas, cost);
  if (gas < 0) return gas;
  let given = calleeGas(asked, gas);
  if (given < 0) return chargeAll();
  if (!growTo(end) || !hasRoomFor(HELD_CODE_BYTE * load<u32>(code, C_LENGTH))) return -HALT_OUT_OF_GAS;
  gas -= given;
  if (EXACT) passGas(given);
  if (pays) given += STIPEND;

  returnBuffer(0);
  if (depth >= MOST_DEPTH || (pays && less(account + A_BALANCE, value))) {
    clear(args);
    return gas + given;
  }
  const snapshot = journalLength();
  if (pays && isReadOnly(account)) {
    dropFrame(snapshot);
    clear(args);
    return gas;
  }
  const data = memoryAt + input;
  const computed = isPrecompile(to);
  const runs = kind == KIND_CALL || kind == KIND_STATICCALL ? target : account;
  if (kind == KIND_CALL) transfer(account, target, value, pays, computed);
  else if (has(RULE_SHARED_CHANGES) || (kind == KIND_STATICCALL && exists(target))) addBalance(runs, ZERO);

  if (EXACT) {
    const shown = kind == KIND_DELEGATECALL ? frame + R_VALUE : value;
    traceEnter(kind, whatRuns(computed), depth + 1, frame + R_SELF, to, codeOwner, shown, given, data, inputLength);
  }
  if (computed || load<u32>(code, C_LENGTH) == 0) {
    const left = computed ? compute(to, data, inputLength, given, snapshot) : given;
    if (left >= 0) keepFrame();
    if (EXACT) exitAtOnce(depth + 1, left, given);
    move(memoryAt + output, returnAt, min(outputLength, returnLength));
    set(args, u64(left >= 0));
    return gas + max(left, 0);
  }

  const next = nextFrame(false);
  describeSelf(next, runs);
  copy(next + R_CALLER, kind == KIND_DELEGATECALL ? frame + R_CALLER : frame + R_SELF);
  copy(next + R_VALUE, kind == KIND_DELEGATECALL ? frame + R_VALUE : value);
  store<u32>(next, u32(data), R_DATA);
  store<u32>(next, u32(inputLength), R_DATA_LENGTH);
  store<u32>(next, u32(output), R_OUTPUT);
  store<u32>(next, u32(outputLength), R_OUTPUT_LENGTH);
  store<u32>(next, u32(isStatic || kind == KIND_STATICCALL), R_STATIC);
  store<u32>(next, kind, R_KIND);
  store<u32>(next, u32(snapshot), R_SNAPSHOT);
  store<u32>(next, 0, R_OWN_CODE);
  store<i64>(frame, gas, R_GAS);
  beginFrame(next, false, code, args, given);
  return ENTERED;
}

/**
 * Transfers the value to the callee. Since EIP-161 a call without value to an account that does not exist does not
 * create it, except where Besu runs private transactions.
 */
function transfer(from: usize, to: usize, value: usize, pays: bool, computed: bool): void {
  if (!pays && has(RULE_EMPTY_IS_DEAD) && !has(RULE_SHARED_CHANGES) && !computed && !exists(to)) return;
  if (pays) subtractBalance(from, value);
  addBalance(to, value);
}

/**
 * Runs a precompile; returns the gas left. On failure it reverts to the snapshot and returns the negated halt
 * code.
 */
function compute(to: usize, data: usize, length: usize, gas: i64, snapshot: usize): i64 {
  trimAddress(PRECOMPILE, to);
  const left = hostPrecompile(PRECOMPILE, data, length, gas);
  // What fails costs all gas that was given, which says nothing about the work.
  if (EXACT) spend(left < 0 ? FAILED_PRICE + FAILED_BYTE_PRICE * i64(length) : gas - left);
  if (left < 0) {
    dropFrame(snapshot);
    returnBuffer(0);
  }
  return left;
}

function whatRuns(computed: bool): i32 {
  return computed ? RUNS_PRECOMPILE : load<u32>(code, C_LENGTH) ? RUNS_CODE : RUNS_NOTHING;
}

function exitAtOnce(at: u32, left: i64, given: i64): void {
  const used = left < 0 ? given : given - left;
  traceExit(at, left < 0 ? -i32(left) : HALT_STOP, used, returnAt, returnLength);
}

/**
 * Starts the message that TypeScript wrote. Returns ENTERED if a frame is ready to run, else the negated halt code
 * (0 for success) of a message without a frame.
 */
export function startMessage(data: usize, length: usize, gas: i64): i64 {
  const flags = load<u32>(MESSAGE, M_FLAGS);
  const value = MESSAGE + M_VALUE;
  const from = accountOf(MESSAGE + M_FROM), to = accountOf(MESSAGE + M_TO);
  const pays = !isZero(value) && !(flags & MESSAGE_KEEPS_VALUE);
  returnBuffer(0);
  setGasLeft(gas);
  if (pays && less(from + A_BALANCE, value)) return -HALT_INSUFFICIENT_BALANCE;
  const snapshot = journalLength();
  const owner = accountOf(MESSAGE + M_CODE_ADDRESS);
  const computed = isPrecompile(owner);
  if (!(flags & MESSAGE_KEEPS_VALUE)) transfer(from, to, value, pays, computed);
  chooseCode(owner);
  if (EXACT) traceEnter(KIND_CALL, whatRuns(computed), 0, from, to, codeOwner, value, gas, data, length);
  if (computed || load<u32>(code, C_LENGTH) == 0) {
    const left = computed ? compute(MESSAGE + M_CODE_ADDRESS, data, length, gas, snapshot) : gas;
    if (left >= 0) keepFrame();
    if (EXACT) exitAtOnce(0, left, gas);
    setGasLeft(max(left, 0));
    return min(left, 0);
  }
  const first = nextFrame(true);
  describeSelf(first, to);
  trimAddress(first + R_CALLER, MESSAGE + M_FROM);
  copy(first + R_VALUE, value);
  store<u32>(first, u32(data), R_DATA);
  store<u32>(first, u32(length), R_DATA_LENGTH);
  store<u32>(first, 0, R_OUTPUT_LENGTH);
  store<u32>(first, u32((flags & MESSAGE_STATIC) != 0), R_STATIC);
  store<u32>(first, KIND_CALL, R_KIND);
  store<u32>(first, u32(snapshot), R_SNAPSHOT);
  store<u32>(first, 0, R_OWN_CODE);
  beginFrame(first, true, code, stackBottom(), gas);
  return ENTERED;
}
