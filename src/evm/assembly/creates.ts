// CREATE, CREATE2, and creations from outside.
import { keccak } from '../../primitives/assembly/keccak';
import { accountOf, addBalance, addFlags, hasCode, isFixed, isReadOnly, seeAccount, setCode, setNonce, subtractBalance, warmAccount } from './accounts';
import { ENTERED, MESSAGE } from './calls';
import { codeFrom, newCode } from './codes';
import {
  account, beginFrame, depth, describeSelf, frame, gasLeft, isStatic, memoryAt, MOST_DEPTH, nextFrame, outputAt,
  outputLength, returnBuffer, setGasLeft, setOutput, stackBottom,
} from './frames';
import { HELD_CODE_BYTE, hasRoomFor, hold } from './held';
import { dropFrame, journalLength } from './journal';
import {
  A_BALANCE, A_NONCE, ACCOUNT_CREATED, ACCOUNT_EXISTS, ACCOUNT_TOUCHED, C_BYTES, HALT_CODE_DEPOSIT_OUT_OF_GAS,
  HALT_CODE_TOO_LARGE, HALT_CREATE_COLLISION, HALT_INIT_CODE_TOO_LARGE, HALT_INSUFFICIENT_BALANCE, HALT_INVALID_CODE,
  HALT_OUT_OF_GAS, HALT_STATIC_VIOLATION, KIND_CREATE2, M_FLAGS, M_FROM, M_SALT, M_TO, M_VALUE, MESSAGE_AT_ADDRESS,
  R_CALLER, R_DATA_LENGTH, R_GAS, R_KIND, R_OUTPUT_LENGTH, R_OWN_CODE, R_SELF, R_SNAPSHOT, R_STATIC, R_VALUE,
  RULE_ACCESS_SETS, RULE_CREATE_NEEDS_DEPOSIT, RULE_EMPTY_IS_DEAD, RULE_KEEP_A_64TH, RULE_REJECT_EF, RUNS_CODE,
  RUNS_NOTHING, S_INIT_CODE_WORD, S_MAX_CODE_SIZE, S_MAX_INIT_CODE_SIZE,
} from './layout';
import { growthCost, growTo, isFar, wordsOf } from './memory';
import { charge, chargeAll, has, price, SCHEDULE } from './schedule';
import { hasStorage } from './slots';
import { passGas, traceEnter } from './trace';
import { clear, copy, less, swap, trimAddress } from './word';

const HASH_WORD_PRICE: i64 = 6;
const DEPOSIT_BYTE_PRICE: i64 = 200;

/** Address of the contract that is being created, as a word. */
const CREATED = memory.data(32, 16);
const PREIMAGE = memory.data(128, 16);

/**
 * The two opcodes. From the bottom `args` has: salt (CREATE2), length, offset, value. The address goes to `args`,
 * zero on failure.
 */
export function create(kind: i32, args: usize, gas: i64): i64 {
  if (isStatic || isFixed(account)) return -HALT_STATIC_VIOLATION;
  const lengthAt = kind == KIND_CREATE2 ? args + 32 : args;
  const offsetAt = lengthAt + 32, value = lengthAt + 64;
  if (isFar(lengthAt)) return chargeAll();
  const length = usize(load<u64>(lengthAt));
  if (length && isFar(offsetAt)) return chargeAll();
  if (length > load<u32>(SCHEDULE, S_MAX_INIT_CODE_SIZE)) return -HALT_INIT_CODE_TOO_LARGE;
  const offset = length ? usize(load<u64>(offsetAt)) : 0;
  const end = length ? offset + length : 0;
  const wordPrice = price(S_INIT_CODE_WORD) + (kind == KIND_CREATE2 ? HASH_WORD_PRICE : 0);
  gas = charge(gas, growthCost(end) + wordPrice * wordsOf(length));
  if (gas < 0) return gas;
  if (!growTo(end) || !hasRoomFor(HELD_CODE_BYTE * length)) return -HALT_OUT_OF_GAS;

  returnBuffer(0);
  const nonce = load<u64>(account, A_NONCE);
  if (depth >= MOST_DEPTH || less(account + A_BALANCE, value) || nonce == u64.MAX_VALUE) {
    clear(args);
    return gas;
  }
  const given = has(RULE_KEEP_A_64TH) ? gas - (gas >> 6) : gas;
  gas -= given;
  if (EXACT) passGas(given);
  setNonce(account, nonce + 1);
  const code = memoryAt + offset;
  if (kind == KIND_CREATE2) deriveFromSalt(frame + R_SELF, args, code, length);
  else deriveFromNonce(frame + R_SELF, nonce);
  store<i64>(frame, gas, R_GAS);
  const halt = startCreation(kind, false, account, frame + R_SELF, value, code, length, given, args);
  if (!halt) return ENTERED;
  clear(args);
  return gas;
}

/**
 * Begins the frame that runs init code for the account at CREATED. Returns 0, or the halt code of a collision, which
 * costs all gas.
 */
function startCreation(
  kind: i32, outermost: bool, creator: usize, caller: usize, value: usize, from: usize, length: usize, gas: i64,
  bottom: usize,
): i32 {
  const created = accountOf(CREATED);
  seeAccount(created);
  // The address stays warm even if the creation fails (EIP-2929).
  if (has(RULE_ACCESS_SETS)) warmAccount(created);
  if (load<u64>(created, A_NONCE) != 0 || hasCode(created) || hasStorage(created) || isReadOnly(created)) {
    dropFrame(journalLength());
    return HALT_CREATE_COLLISION;
  }
  const snapshot = journalLength();
  addFlags(created, ACCOUNT_EXISTS | ACCOUNT_TOUCHED | ACCOUNT_CREATED);
  if (has(RULE_EMPTY_IS_DEAD)) setNonce(created, 1);
  subtractBalance(creator, value);
  addBalance(created, value);
  if (EXACT) {
    const runs = length ? RUNS_CODE : RUNS_NOTHING;
    traceEnter(kind, runs, outermost ? 0 : depth + 1, caller, CREATED, CREATED, value, gas, from, length);
  }

  const next = nextFrame(outermost);
  describeSelf(next, created);
  trimAddress(next + R_CALLER, caller);
  copy(next + R_VALUE, value);
  store<u32>(next, 0, R_DATA_LENGTH);
  store<u32>(next, 0, R_OUTPUT_LENGTH);
  store<u32>(next, 0, R_STATIC);
  store<u32>(next, kind, R_KIND);
  store<u32>(next, u32(snapshot), R_SNAPSHOT);
  const code = newCode(length);
  memory.copy(code + C_BYTES, from, length);
  store<u32>(next, u32(code), R_OWN_CODE);
  beginFrame(next, outermost, code, bottom, gas);
  return 0;
}

/**
 * Starts the creation that TypeScript wrote; returns the same as `startMessage`. The creator's nonce does not
 * change.
 */
export function startCreationMessage(kind: i32, nonce: u64, from: usize, length: usize, gas: i64): i64 {
  const caller = MESSAGE + M_FROM, value = MESSAGE + M_VALUE;
  const creator = accountOf(caller);
  returnBuffer(0);
  setGasLeft(gas);
  if (less(creator + A_BALANCE, value)) return -HALT_INSUFFICIENT_BALANCE;
  if (load<u32>(MESSAGE, M_FLAGS) & MESSAGE_AT_ADDRESS) trimAddress(CREATED, MESSAGE + M_TO);
  else if (kind == KIND_CREATE2) deriveFromSalt(caller, MESSAGE + M_SALT, from, length);
  else deriveFromNonce(caller, nonce);
  const halt = startCreation(kind, true, creator, caller, value, from, length, gas, stackBottom());
  if (!halt) return ENTERED;
  setGasLeft(0);
  return -halt;
}

/** Writes the last 20 bytes of keccak(rlp([creator, nonce])) to CREATED. */
function deriveFromNonce(creator: usize, nonce: u64): void {
  const list = PREIMAGE + 32;
  swap(PREIMAGE, creator);
  memory.copy(list + 2, PREIMAGE + 12, 20);
  store<u8>(list, 0x94, 1);
  let length: usize = 22;
  if (nonce == 0) store<u8>(list + length++, 0x80);
  else if (nonce < 0x80) store<u8>(list + length++, u8(nonce));
  else {
    const bytes = 8 - i32(clz(nonce) >> 3);
    store<u8>(list + length++, u8(0x80 + bytes));
    for (let i = bytes; i > 0; i--) store<u8>(list + length++, u8(nonce >> u64((i - 1) << 3)));
  }
  store<u8>(list, u8(0xc0 + length - 1));
  hashToAddress(list, length);
}

/** Writes the last 20 bytes of keccak(0xff, creator, salt, keccak(init code)) to CREATED. */
function deriveFromSalt(creator: usize, salt: usize, code: usize, length: usize): void {
  swap(PREIMAGE, creator);
  store<u8>(PREIMAGE, 0xff, 11);
  swap(PREIMAGE + 32, salt);
  keccak(code, length, PREIMAGE + 64);
  hashToAddress(PREIMAGE + 11, 85);
}

function hashToAddress(preimage: usize, length: usize): void {
  keccak(preimage, length, CREATED);
  swap(CREATED, CREATED);
  trimAddress(CREATED, CREATED);
}

/** Stores the output of successful init code as the contract's code; returns the halt code of the creation. */
export function depositCode(halt: i32): i32 {
  const length = outputLength;
  if (length > load<u32>(SCHEDULE, S_MAX_CODE_SIZE)) return HALT_CODE_TOO_LARGE;
  if (length && has(RULE_REJECT_EF) && load<u8>(outputAt) == 0xef) return HALT_INVALID_CODE;
  const left = gasLeft - DEPOSIT_BYTE_PRICE * i64(length);
  if (left < 0) {
    if (has(RULE_CREATE_NEEDS_DEPOSIT)) return HALT_CODE_DEPOSIT_OUT_OF_GAS;
    // Frontier: the contract stays, without code.
    setOutput(outputAt, 0);
    return halt;
  }
  const holds = HELD_CODE_BYTE * length;
  if (!hasRoomFor(holds)) return HALT_OUT_OF_GAS;
  hold(holds);
  setGasLeft(left);
  if (length) setCode(account, codeFrom(outputAt, length));
  return halt;
}
