// The loop. One `switch` over opcodes; longer ones are in the files by kind. Gas and stack are
// checked once per basic block; if EXACT at each opcode. Stack words grow upwards; `sp` points after the top.
import { keccak } from '../../primitives/assembly/keccak';
import { blockGas, blockGrows, blockNeeds, extend, isReached, LONG_BLOCK, measureBlock } from './analysis';
import { addModulo, divide, modulo, multiplyModulo, power, signedDivide, signedModulo, signExtend } from './arithmetic';
import { and, byteAt, countLeadingZeros, not, or, shiftLeft, shiftRight, shiftRightSigned, xor } from './bitwise';
import { blobHash } from './blobs';
import { call } from './calls';
import { create } from './creates';
import { hashPair } from './digests';
import { balanceOf, blockHash, codeHashOf, codeSizeOf, copyCodeOf, copyReturnData } from './environment';
import {
  account, analysis, codeAt, codeLength, dataAt, dataLength, frame, isStatic, memoryAt, memoryBytes, returnLength,
  setGasLeft, setOutput,
} from './frames';
import { within } from './held';
import {
  A_BALANCE, E_BASE_FEE, E_BLOB_BASE_FEE, E_CHAIN_ID, E_COINBASE, E_GAS_LIMIT, E_GAS_PRICE, E_NUMBER, E_ORIGIN,
  E_RANDOMNESS, E_TIMESTAMP, HALT_INVALID_JUMP, HALT_INVALID_OPCODE, HALT_OUT_OF_GAS, HALT_RETURN, HALT_REVERT,
  HALT_SELFDESTRUCT, HALT_STACK_OVERFLOW, HALT_STACK_UNDERFLOW, HALT_STATIC_VIOLATION, HALT_STOP, KIND_CALL,
  KIND_CALLCODE, KIND_CREATE, KIND_CREATE2, KIND_DELEGATECALL, KIND_STATICCALL, OP_GAS, OP_IN, OP_OUT, PAUSED,
  R_CALLER, R_GAS, R_PC, R_SELF, R_SP, R_STACK, R_VALUE, S_EXP_BYTE, S_STACK_SIZE,
} from './layout';
import { addLog } from './logs';
import { copyIn, copyWithin, isFar, loadData, loadWord, reach, storeByte, storeWord, wordsOf } from './memory';
import { multiply } from './multiply';
import { charge, chargeAll, ENVIRONMENT, OPS, price, SCHEDULE, setStepCost, spend, work } from './schedule';
import { selfdestruct } from './selfdestruct';
import { exchange, pushBytes } from './stack';
import { loadSlot, loadTransient, storeSlot, storeTransient } from './storage';
import { beginStep, leaveUnpaid, unpaid } from './trace';
import { add, byteLength, clear, copy, equal, isZero, less, set, signedLess, subtract, swap, upper } from './word';

/** KECCAK256: offset and length become the digest. */
function hashMemory(offset: usize, lengthAt: usize, gas: i64): i64 {
  if (isFar(lengthAt)) return chargeAll();
  const length = usize(load<u64>(lengthAt));
  gas = reach(offset, length, 6 * wordsOf(length), gas);
  if (gas < 0) return gas;
  const from = length ? memoryAt + usize(load<u64>(offset)) : 0;
  if (length == 64) hashPair(from, lengthAt);
  else {
    keccak(from, length, lengthAt);
    swap(lengthAt, lengthAt);
  }
  return gas;
}

/** LOG0 … LOG4: topics, length and offset from the bottom. */
function log(topics: u32, args: usize, gas: i64): i64 {
  if (isStatic) return -HALT_STATIC_VIOLATION;
  const lengthAt = args + (topics << 5);
  if (isFar(lengthAt)) return chargeAll();
  const length = usize(load<u64>(lengthAt));
  gas = reach(lengthAt + 32, length, 8 * i64(length), gas);
  if (gas < 0) return gas;
  const data = length ? memoryAt + usize(load<u64>(lengthAt, 32)) : 0;
  return addLog(account, args, topics, data, length) ? within(gas) : -HALT_OUT_OF_GAS;
}

/** RETURN and REVERT: length and offset from the bottom. */
function finish(args: usize, gas: i64): i64 {
  if (isFar(args)) return chargeAll();
  const length = usize(load<u64>(args));
  gas = reach(args + 32, length, 0, gas);
  if (gas < 0) return gas;
  setOutput(length ? memoryAt + usize(load<u64>(args, 32)) : 0, length);
  setGasLeft(gas);
  return gas;
}

/** Whether the word is the position of a JUMPDEST. */
@inline
function isJumpTarget(word: usize): bool {
  const target = load<u64>(word);
  if (upper(word) != 0 || target >= u64(codeLength)) return false;
  return isMarked(usize(target)) || (!isReached(analysis, codeLength, usize(target)) && isMarkedBeyond(usize(target)));
}

@inline
function isMarked(target: usize): bool {
  if (!EXACT) return load<i32>(analysis + (target << 2)) < 0;
  return load<u8>(analysis + target) != 0;
}

function isMarkedBeyond(target: usize): bool {
  extend(codeAt, codeLength, analysis, target);
  return isMarked(target);
}

/** Runs the frame until it ends or another one begins; returns the halt code, -ENTERED or PAUSED. */
export function run(): i32 {
  let pc: usize = load<u32>(frame, R_PC);
  let sp: usize = load<u32>(frame, R_SP);
  let gas = load<i64>(frame, R_GAS);
  const bottom: usize = load<u32>(frame, R_STACK);
  const code = codeAt;
  const blocks = analysis;
  const maxWords = load<u32>(SCHEDULE, S_STACK_SIZE);
  const data = dataAt;
  const dataBytes = u64(dataLength);

  for (;;) {
    // A basic block begins; if EXACT nothing is charged here.
    if (EXACT && work < 0) {
      save(pc, sp);
      store<i64>(frame, gas, R_GAS);
      return PAUSED;
    }
    if (!EXACT) {
      const needs = load<u32>(blocks + ((pc - code) << 2));
      const height = u32(sp - bottom) >> 5;
      if ((needs & LONG_BLOCK) == LONG_BLOCK) {
        if (!isReached(blocks, codeLength, pc - code)) {
          extend(code, codeLength, blocks, pc - code);
          continue;
        }
        const halt = measureBlock(pc, code + codeLength);
        if (halt) return halt;
        gas -= blockGas;
        if (gas < 0) return HALT_OUT_OF_GAS;
        if (height < blockNeeds) return HALT_STACK_UNDERFLOW;
        if (height + blockGrows > maxWords) return HALT_STACK_OVERFLOW;
      } else {
        gas -= i64(needs & 0xffff);
        if (gas < 0) return HALT_OUT_OF_GAS;
        if (height < ((needs >> 16) & 0xff)) return HALT_STACK_UNDERFLOW;
        if (height + ((needs >> 24) & 0x7f) > maxWords) return HALT_STACK_OVERFLOW;
      }
      // The JUMPDEST is paid for.
      pc += needs >> 31;
    }
    for (;;) {
      const op = u32(load<u8>(pc));
      if (EXACT) {
        if (unpaid) return HALT_OUT_OF_GAS;
        beginStep(pc - code, op, sp, gas);
        const entry = OPS + (op << 3);
        const cost = load<i32>(entry, OP_GAS);
        if (cost < 0) return HALT_INVALID_OPCODE;
        const height = u32(sp - bottom) >> 5;
        const taken = u32(load<u16>(entry, OP_IN));
        if (height < taken) return HALT_STACK_UNDERFLOW;
        if (height - taken + load<u16>(entry, OP_OUT) > maxWords) return HALT_STACK_OVERFLOW;
        setStepCost(cost);
        gas -= i64(cost);
        spend(i64(cost));
        if (gas < 0) gas = leaveUnpaid();
      }
      pc++;
      switch (op) {
        case 0x00: // STOP
          setOutput(0, 0);
          setGasLeft(gas);
          return HALT_STOP;
        case 0x01: sp -= 32; add(sp - 32, sp, sp - 32); continue; // ADD
        case 0x02: sp -= 32; multiply(sp - 32, sp, sp - 32); continue; // MUL
        case 0x03: sp -= 32; subtract(sp - 32, sp, sp - 32); continue; // SUB
        case 0x04: sp -= 32; divide(sp - 32, sp, sp - 32); continue; // DIV
        case 0x05: sp -= 32; signedDivide(sp - 32, sp, sp - 32); continue; // SDIV
        case 0x06: sp -= 32; modulo(sp - 32, sp, sp - 32); continue; // MOD
        case 0x07: sp -= 32; signedModulo(sp - 32, sp, sp - 32); continue; // SMOD
        case 0x08: sp -= 64; addModulo(sp - 32, sp + 32, sp, sp - 32); continue; // ADDMOD
        case 0x09: sp -= 64; multiplyModulo(sp - 32, sp + 32, sp, sp - 32); continue; // MULMOD
        case 0x0a: // EXP
          sp -= 32;
          gas = charge(gas, price(S_EXP_BYTE) * i64(byteLength(sp - 32)));
          if (gas < 0) return -i32(gas);
          power(sp - 32, sp, sp - 32);
          continue;
        case 0x0b: sp -= 32; signExtend(sp - 32, sp, sp - 32); continue; // SIGNEXTEND

        case 0x10: sp -= 32; set(sp - 32, u64(less(sp, sp - 32))); continue; // LT
        case 0x11: sp -= 32; set(sp - 32, u64(less(sp - 32, sp))); continue; // GT
        case 0x12: sp -= 32; set(sp - 32, u64(signedLess(sp, sp - 32))); continue; // SLT
        case 0x13: sp -= 32; set(sp - 32, u64(signedLess(sp - 32, sp))); continue; // SGT
        case 0x14: sp -= 32; set(sp - 32, u64(equal(sp, sp - 32))); continue; // EQ
        case 0x15: set(sp - 32, u64(isZero(sp - 32))); continue; // ISZERO
        case 0x16: sp -= 32; and(sp - 32, sp, sp - 32); continue; // AND
        case 0x17: sp -= 32; or(sp - 32, sp, sp - 32); continue; // OR
        case 0x18: sp -= 32; xor(sp - 32, sp, sp - 32); continue; // XOR
        case 0x19: not(sp - 32); continue; // NOT
        case 0x1a: sp -= 32; byteAt(sp - 32, sp, sp - 32); continue; // BYTE
        case 0x1b: sp -= 32; shiftLeft(sp - 32, sp, sp - 32); continue; // SHL
        case 0x1c: sp -= 32; shiftRight(sp - 32, sp, sp - 32); continue; // SHR
        case 0x1d: sp -= 32; shiftRightSigned(sp - 32, sp, sp - 32); continue; // SAR
        case 0x1e: countLeadingZeros(sp - 32); continue; // CLZ

        case 0x20: // KECCAK256
          sp -= 32;
          gas = hashMemory(sp, sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;

        case 0x30: copy(sp, frame + R_SELF); sp += 32; continue; // ADDRESS
        case 0x31: // BALANCE
          gas = balanceOf(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x32: copy(sp, ENVIRONMENT + E_ORIGIN); sp += 32; continue; // ORIGIN
        case 0x33: copy(sp, frame + R_CALLER); sp += 32; continue; // CALLER
        case 0x34: copy(sp, frame + R_VALUE); sp += 32; continue; // CALLVALUE
        case 0x35: loadData(sp - 32, data, dataBytes); continue; // CALLDATALOAD
        case 0x36: set(sp, dataBytes); sp += 32; continue; // CALLDATASIZE
        case 0x37: // CALLDATACOPY
          sp -= 96;
          gas = copyIn(sp + 64, sp + 32, sp, data, usize(dataBytes), 0, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x38: set(sp, u64(codeLength)); sp += 32; continue; // CODESIZE
        case 0x39: // CODECOPY
          sp -= 96;
          gas = copyIn(sp + 64, sp + 32, sp, code, codeLength, 0, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x3a: copy(sp, ENVIRONMENT + E_GAS_PRICE); sp += 32; continue; // GASPRICE
        case 0x3b: // EXTCODESIZE
          gas = codeSizeOf(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x3c: // EXTCODECOPY
          sp -= 128;
          gas = copyCodeOf(sp, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x3d: set(sp, u64(returnLength)); sp += 32; continue; // RETURNDATASIZE
        case 0x3e: // RETURNDATACOPY
          sp -= 96;
          gas = copyReturnData(sp, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x3f: // EXTCODEHASH
          gas = codeHashOf(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;

        case 0x40: blockHash(sp - 32); continue; // BLOCKHASH
        case 0x41: copy(sp, ENVIRONMENT + E_COINBASE); sp += 32; continue; // COINBASE
        case 0x42: copy(sp, ENVIRONMENT + E_TIMESTAMP); sp += 32; continue; // TIMESTAMP
        case 0x43: copy(sp, ENVIRONMENT + E_NUMBER); sp += 32; continue; // NUMBER
        case 0x44: copy(sp, ENVIRONMENT + E_RANDOMNESS); sp += 32; continue; // DIFFICULTY, PREVRANDAO
        case 0x45: copy(sp, ENVIRONMENT + E_GAS_LIMIT); sp += 32; continue; // GASLIMIT
        case 0x46: copy(sp, ENVIRONMENT + E_CHAIN_ID); sp += 32; continue; // CHAINID
        case 0x47: copy(sp, account + A_BALANCE); sp += 32; continue; // SELFBALANCE
        case 0x48: copy(sp, ENVIRONMENT + E_BASE_FEE); sp += 32; continue; // BASEFEE
        case 0x49: blobHash(sp - 32); continue; // BLOBHASH
        case 0x4a: copy(sp, ENVIRONMENT + E_BLOB_BASE_FEE); sp += 32; continue; // BLOBBASEFEE

        case 0x50: sp -= 32; continue; // POP
        case 0x51: // MLOAD
          gas = loadWord(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x52: // MSTORE
          sp -= 64;
          gas = storeWord(sp + 32, sp, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x53: // MSTORE8
          sp -= 64;
          gas = storeByte(sp + 32, sp, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x54: // SLOAD
          gas = loadSlot(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          continue;
        case 0x55: // SSTORE
          sp -= 64;
          gas = storeSlot(sp + 32, sp, gas);
          if (gas < 0) return -i32(gas);
          break;
        case 0x56: // JUMP
          sp -= 32;
          if (!isJumpTarget(sp)) return HALT_INVALID_JUMP;
          pc = code + usize(load<u64>(sp));
          break;
        case 0x57: // JUMPI
          sp -= 64;
          if (!isZero(sp)) {
            if (!isJumpTarget(sp + 32)) return HALT_INVALID_JUMP;
            pc = code + usize(load<u64>(sp, 32));
          }
          break;
        case 0x58: set(sp, u64(pc - 1 - code)); sp += 32; continue; // PC
        case 0x59: set(sp, u64(memoryBytes)); sp += 32; continue; // MSIZE
        case 0x5a: set(sp, u64(gas)); sp += 32; break; // GAS
        case 0x5b: // JUMPDEST: a block of its own, so that one falls into it from the block before
          if (!EXACT) pc--;
          break;
        case 0x5c: loadTransient(sp - 32); continue; // TLOAD
        case 0x5d: { // TSTORE
          sp -= 64;
          const halt = storeTransient(sp + 32, sp);
          if (halt) return halt;
          continue;
        }
        case 0x5e: // MCOPY
          sp -= 96;
          gas = copyWithin(sp + 64, sp + 32, sp, gas);
          if (gas < 0) return -i32(gas);
          continue;

        case 0x5f: clear(sp); sp += 32; continue; // PUSH0
        case 0x60: set(sp, u64(load<u8>(pc))); sp += 32; pc++; continue; // PUSH1
        case 0x61: // PUSH2
          set(sp, (u64(load<u8>(pc)) << 8) | u64(load<u8>(pc, 1)));
          sp += 32;
          pc += 2;
          continue;
        case 0x62: case 0x63: case 0x64: case 0x65: case 0x66: case 0x67: { // PUSH3 … PUSH8
          const n = usize(op - 0x5f);
          set(sp, bswap<u64>(load<u64>(pc + n - 8)) & (~(<u64>0) >> (64 - (u64(n) << 3))));
          sp += 32;
          pc += n;
          continue;
        }
        case 0x68: case 0x69: case 0x6a: case 0x6b: case 0x6c: case 0x6d: case 0x6e: case 0x6f:
        case 0x70: case 0x71: case 0x72: case 0x73: case 0x74: case 0x75: case 0x76: case 0x77:
        case 0x78: case 0x79: case 0x7a: case 0x7b: case 0x7c: case 0x7d: case 0x7e: { // PUSH9 … PUSH31
          const n = usize(op - 0x5f);
          pushBytes(sp, pc, n);
          sp += 32;
          pc += n;
          continue;
        }
        case 0x7f: swap(sp, pc); sp += 32; pc += 32; continue; // PUSH32
        case 0x80: case 0x81: case 0x82: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87:
        case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f: // DUP1 … DUP16
          copy(sp, sp - (usize(op - 0x7f) << 5));
          sp += 32;
          continue;
        case 0x90: case 0x91: case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97:
        case 0x98: case 0x99: case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f: // SWAP1 … SWAP16
          exchange(sp - 32, sp - 32 - (usize(op - 0x8f) << 5));
          continue;

        case 0xa0: case 0xa1: case 0xa2: case 0xa3: case 0xa4: // LOG0 … LOG4
          sp -= usize(op - 0xa0 + 2) << 5;
          gas = log(op - 0xa0, sp, gas);
          if (gas < 0) return -i32(gas);
          continue;

        case 0xf0: // CREATE
          sp -= 96;
          save(pc, sp);
          gas = create(KIND_CREATE, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xf1: // CALL
          sp -= 224;
          save(pc, sp);
          gas = call(KIND_CALL, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xf2: // CALLCODE
          sp -= 224;
          save(pc, sp);
          gas = call(KIND_CALLCODE, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xf3: // RETURN
          gas = finish(sp - 64, gas);
          return gas < 0 ? -i32(gas) : HALT_RETURN;
        case 0xf4: // DELEGATECALL
          sp -= 192;
          save(pc, sp);
          gas = call(KIND_DELEGATECALL, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xf5: // CREATE2
          sp -= 128;
          save(pc, sp);
          gas = create(KIND_CREATE2, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xfa: // STATICCALL
          sp -= 192;
          save(pc, sp);
          gas = call(KIND_STATICCALL, sp, gas);
          if (gas < 0) return -i32(gas);
          sp += 32;
          break;
        case 0xfd: // REVERT
          gas = finish(sp - 64, gas);
          return gas < 0 ? -i32(gas) : HALT_REVERT;
        case 0xff: // SELFDESTRUCT
          gas = selfdestruct(sp - 32, gas);
          if (gas < 0) return -i32(gas);
          setOutput(0, 0);
          setGasLeft(gas);
          return HALT_SELFDESTRUCT;
        default:
          return HALT_INVALID_OPCODE;
      }
      break;
    }
  }
  return unreachable();
}

/** Saves where the frame continues after a call, whose result goes to `sp`. */
@inline
function save(pc: usize, sp: usize): void {
  store<u32>(frame, u32(pc), R_PC);
  store<u32>(frame, u32(sp), R_SP);
}
