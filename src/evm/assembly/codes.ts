// Code by hash, shared by all accounts and frames, and kept over a reset. Analysed while it runs.
import { keccak } from '../../primitives/assembly/keccak';
import { accountAt, accountCount } from './accounts';
import { analysisBytes, beginAnalysis } from './analysis';
import { code as codeToRun } from './calls';
import { codeAtDepth, depth } from './frames';
import { allocate, blockBytes, release } from './heap';
import { hostCode } from './host';
import {
  A_CODE, A_CODE_HASH, A_HOST_CODE_HASH, C_ANALYSIS, C_BYTES, C_HASH, C_LENGTH, C_LOADED, C_NEXT, C_TABLE,
} from './layout';
import { opTable } from './schedule';
import { copy, equal } from './word';

const BUCKETS: u32 = 4096;
const HEADS = memory.data(4096 * 4);
/** Zeros after the code: for a PUSH at its end, and as the STOP after it. */
export const CODE_PADDING: usize = 40;
/** Above this size, code that the host has too is dropped. */
const MOST_BYTES: usize = 64 << 20;

/** Code and hash of accounts without code. */
export const EMPTY_CODE = memory.data(C_BYTES + 64, 16);
export const EMPTY_HASH = EMPTY_CODE;

let bytes: usize = 0;
/** The size from which on code is dropped within a transaction. */
let trimAt: usize = MOST_BYTES;

export function setUpCodes(): void {
  keccak(0, 0, EMPTY_CODE + C_HASH);
}

@inline
function entryBytes(length: usize): usize {
  return usize(C_BYTES) + length + CODE_PADDING;
}

/** Creates an entry for code of this length, which the caller writes; it cannot be found by hash yet. */
export function newCode(length: usize): usize {
  const size = entryBytes(length);
  const code = allocate(size);
  bytes += blockBytes(size);
  memory.fill(code, 0, C_BYTES);
  memory.fill(code + C_BYTES + length, 0, CODE_PADDING);
  store<u32>(code, u32(length), C_LENGTH);
  return code;
}

@inline
function headOf(hash: usize): usize {
  return HEADS + ((load<u32>(hash) & (BUCKETS - 1)) << 2);
}

/** Returns the entry of the code with a hash, or 0. */
function findCode(hash: usize): usize {
  let code: usize = load<u32>(headOf(hash));
  while (code && !equal(code + C_HASH, hash)) code = load<u32>(code, C_NEXT);
  return code;
}

function insert(code: usize): void {
  const head = headOf(code + C_HASH);
  store<u32>(code, load<u32>(head), C_NEXT);
  store<u32>(head, u32(code));
}

/** Returns the entry of the account's code. */
@inline
export function codeOf(account: usize): usize {
  const code = usize(load<u32>(account, A_CODE));
  return code ? code : loadCode(account);
}

function loadCode(account: usize): usize {
  let code = findCode(account + A_CODE_HASH);
  if (!code) {
    if (bytes > trimAt) trimLoaded();
    code = hostCode(account + A_CODE_HASH);
    copy(code + C_HASH, account + A_CODE_HASH);
    store<u32>(code, 1, C_LOADED);
    insert(code);
  }
  store<u32>(account, u32(code), A_CODE);
  return code;
}

const HASH = memory.data(32, 16);

/** Returns the entry of these bytes, which are copied if the code is new. */
export function codeFrom(from: usize, length: usize): usize {
  if (length == 0) return EMPTY_CODE;
  keccak(from, length, HASH);
  let code = findCode(HASH);
  if (code) {
    // Undo entries may refer to it from now on, and the host of another world need not have it.
    store<u32>(code, 0, C_LOADED);
    return code;
  }
  code = newCode(length);
  copy(code + C_HASH, HASH);
  memory.copy(code + C_BYTES, from, length);
  insert(code);
  return code;
}

/** Returns the code's analysis for the current opcode table. */
@inline
export function analysisOf(code: usize): usize {
  const analysis = usize(load<u32>(code, C_ANALYSIS));
  return analysis && load<u32>(code, C_TABLE) == opTable ? analysis : makeAnalysis(code);
}

function makeAnalysis(code: usize): usize {
  const length = usize(load<u32>(code, C_LENGTH));
  let analysis = usize(load<u32>(code, C_ANALYSIS));
  if (!analysis) {
    analysis = allocate(analysisBytes(length));
    if (code != EMPTY_CODE) bytes += blockBytes(analysisBytes(length));
  }
  beginAnalysis(length, analysis);
  store<u32>(code, u32(analysis), C_ANALYSIS);
  store<u32>(code, opTable, C_TABLE);
  return analysis;
}

const PINNED: usize = 48;

/** Keeps an entry, if it is still one. */
function pin(code: usize): void {
  if (code && findCode(code + C_HASH) == code) store<u32>(code, 1, PINNED);
}

/** Limits the cache within a transaction: drops code that the host can give again, except what frames run. */
function trimLoaded(): void {
  pin(codeToRun);
  for (let i: u32 = 0; i <= depth; i++) pin(codeAtDepth(i));
  for (let i: u32 = 0, n = accountCount(); i < n; i++) {
    const account = accountAt(i);
    const code = usize(load<u32>(account, A_CODE));
    if (code && load<u32>(code, C_LOADED) && !load<u32>(code, PINNED)) store<u32>(account, 0, A_CODE);
  }
  dropUnpinned(true);
  // Where much has to stay, the next time is not at once.
  trimAt = max(MOST_BYTES, bytes << 1);
}

/** Limits the cache; only between transactions, when no frame and no journal entry refers to code. */
export function trimCodes(): void {
  trimAt = MOST_BYTES;
  if (bytes <= MOST_BYTES) return;
  for (let i: u32 = 0, n = accountCount(); i < n; i++) {
    const account = accountAt(i);
    const code = usize(load<u32>(account, A_CODE));
    if (!code || code == EMPTY_CODE) continue;
    // Code that the host does not have yet could not be loaded again.
    if (equal(account + A_CODE_HASH, account + A_HOST_CODE_HASH)) store<u32>(account, 0, A_CODE);
    else store<u32>(code, 1, PINNED);
  }
  dropUnpinned(false);
}

function dropUnpinned(onlyLoaded: bool): void {
  for (let i: u32 = 0; i < BUCKETS; i++) {
    let link = HEADS + (i << 2);
    let code = usize(load<u32>(link));
    while (code) {
      const next = usize(load<u32>(code, C_NEXT));
      if (load<u32>(code, PINNED) || (onlyLoaded && !load<u32>(code, C_LOADED))) {
        store<u32>(code, 0, PINNED);
        link = code + C_NEXT;
      } else {
        store<u32>(link, u32(next));
        dropCode(code);
      }
      code = next;
    }
  }
}

/** Frees an entry that cannot be found by hash. */
export function dropCode(code: usize): void {
  const length = usize(load<u32>(code, C_LENGTH));
  const size = entryBytes(length);
  if (load<u32>(code, C_ANALYSIS)) {
    bytes -= blockBytes(analysisBytes(length));
    release(load<u32>(code, C_ANALYSIS), analysisBytes(length));
  }
  bytes -= blockBytes(size);
  release(code, size);
}
