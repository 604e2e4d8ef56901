// The accounts that were accessed, by address; each is loaded from the host once.
import { EMPTY_CODE, EMPTY_HASH } from './codes';
import { addressHash, BITS, clearIndex, headOf, INDEX_BYTES, isCrowded, resizeIndex } from './hash';
import { reallocate } from './heap';
import { HELD_ACCOUNT, hold } from './held';
import { hostAccount } from './host';
import { noteBalance, noteCode, noteFlags, noteNonce, noteWarmAccount } from './journal';
import {
  A_BALANCE, A_CODE, A_CODE_HASH, A_DIRTY_SLOTS, A_EPOCH, A_FLAGS, A_HOST_BALANCE, A_HOST_CODE_HASH, A_HOST_NONCE,
  A_MARKS, A_NEXT, A_NONCE, A_WARM_TX, ACCOUNT_BYTES, ACCOUNT_EXISTS, ACCOUNT_TOUCHED, C_HASH, MARK_DIRTY,
  MARK_HOST_EXISTS, MARK_HOST_STORAGE, MARK_READ_ONLY, MARK_WIPED, RULE_ACCESS_SETS, RULE_SHARED_CHANGES, S_COLD_ACCOUNT,
} from './layout';
import { countOf, emptyPool, entryOf, openPool, POOL_BYTES, takeEntry } from './pool';
import { isPrecompile } from './precompiles';
import { has, price } from './schedule';
import { add, clear, copy, equal, isZero, subtract } from './word';

const ACCOUNTS = memory.data(POOL_BYTES);
const INDEX = memory.data(INDEX_BYTES);

let dirtyAt: usize = 0;
let dirtyRoom: u32 = 0;
export let dirtyCount: u32 = 0;

/**
 * Number of the running transaction: an account or slot is warm when it carries this number. It never comes again, nor is it 0. It
 * starts where 32 bits soon end, so that every test of some hundred transactions shows whether all of it is stored and compared.
 */
export let transaction: u64 = 0xffffff00;

export function nextTransaction(): void {
  transaction++;
}

/**
 * The transaction touched precompile 3 without value. Mainnet once forgot to undo that when the call failed, and
 * removed the empty account (block 2675119): that is the rule now.
 */
export let ripemdTouched: bool = false;

export function forgetRipemd(): void {
  ripemdTouched = false;
}

@inline
function isRipemd(account: usize): bool {
  return load<u64>(account) == 3 && load<u64>(account, 8) == 0 && load<u32>(account, 16) == 0;
}

/** Forgets all accounts. */
export function clearAccounts(): void {
  openPool(ACCOUNTS, ACCOUNT_BYTES);
  emptyPool(ACCOUNTS);
  clearIndex(INDEX);
  dirtyCount = 0;
}

export function accountCount(): u32 {
  return countOf(ACCOUNTS);
}

export function accountAt(i: u32): usize {
  return entryOf(ACCOUNTS, i);
}

/** Returns the entry of the account whose address is in the lower 160 bits of the word. */
export function accountOf(word: usize): usize {
  const l0 = load<u64>(word), l1 = load<u64>(word, 8), l2 = load<u32>(word, 16);
  let account: usize = load<u32>(headOf(INDEX, addressHash(l0, l1, l2)));
  while (account) {
    if (load<u64>(account) == l0 && load<u64>(account, 8) == l1 && load<u32>(account, 16) == l2) return account;
    account = load<u32>(account, A_NEXT);
  }
  return loadAccount(l0, l1, l2);
}

function loadAccount(l0: u64, l1: u64, l2: u32): usize {
  const account = takeEntry(ACCOUNTS);
  store<u64>(account, l0);
  store<u64>(account, l1, 8);
  store<u32>(account, l2, 16);
  hostAccount(account);
  if (load<u32>(account, A_MARKS) & MARK_HOST_EXISTS) {
    store<u32>(account, ACCOUNT_EXISTS, A_FLAGS);
    store<u64>(account, load<u64>(account, A_HOST_NONCE), A_NONCE);
    copy(account + A_BALANCE, account + A_HOST_BALANCE);
    if (equal(account + A_HOST_CODE_HASH, EMPTY_HASH)) store<u32>(account, u32(EMPTY_CODE), A_CODE);
  } else {
    copy(account + A_HOST_CODE_HASH, EMPTY_HASH);
    store<u32>(account, u32(EMPTY_CODE), A_CODE);
  }
  copy(account + A_CODE_HASH, account + A_HOST_CODE_HASH);
  if (isCrowded(INDEX, countOf(ACCOUNTS))) rehash();
  else link(account);
  return account;
}

@inline
function link(account: usize): void {
  const head = headOf(INDEX, addressHash(load<u64>(account), load<u64>(account, 8), load<u32>(account, 16)));
  store<u32>(account, load<u32>(head), A_NEXT);
  store<u32>(head, u32(account));
}

function rehash(): void {
  resizeIndex(INDEX, load<u32>(INDEX, BITS) + 2);
  for (let i: u32 = 0, n = countOf(ACCOUNTS); i < n; i++) link(entryOf(ACCOUNTS, i));
}

@inline
export function exists(account: usize): bool {
  return (load<u32>(account, A_FLAGS) & ACCOUNT_EXISTS) != 0;
}

/** Whether code that runs as this account must not change it: it is read-only, or a frame that failed took it back. */
@inline
export function isFixed(account: usize): bool {
  return isReadOnly(account) || (has(RULE_SHARED_CHANGES) && !exists(account));
}

@inline
export function isReadOnly(account: usize): bool {
  return (load<u32>(account, A_MARKS) & MARK_READ_ONLY) != 0;
}

@inline
export function hasCode(account: usize): bool {
  return load<u32>(account, A_CODE) != u32(EMPTY_CODE);
}

/** Whether nonce, balance and code are empty; also true for an account that does not exist. */
@inline
export function isEmpty(account: usize): bool {
  return load<u64>(account, A_NONCE) == 0 && !hasCode(account) && isZero(account + A_BALANCE);
}

/**
 * With the number of a transaction as A_WARM_TX or L_WARM_TX: an opcode has accessed the account or slot in it, and it is cold all the
 * same.
 */
export const SEEN: u64 = 0x8000000000000000;

/** Counts the account, once in a transaction, for an opcode. */
@inline
export function seeAccount(account: usize): void {
  if ((load<u64>(account, A_WARM_TX) & ~SEEN) == transaction) return;
  store<u64>(account, transaction | SEEN, A_WARM_TX);
  hold(HELD_ACCOUNT);
}

/** Returns the surcharge of an account's first access in the transaction, and makes it warm. */
@inline
export function touchSurcharge(account: usize, warmPrice: i64): i64 {
  seeAccount(account);
  if (!has(RULE_ACCESS_SETS) || load<u64>(account, A_WARM_TX) == transaction) return 0;
  return warmAccount(account) ? price(S_COLD_ACCOUNT) - warmPrice : 0;
}

/** Makes an account warm; returns true if it was cold (precompiles never are). */
export function warmAccount(account: usize): bool {
  if (load<u64>(account, A_WARM_TX) == transaction) return false;
  noteWarmAccount(account);
  store<u64>(account, transaction, A_WARM_TX);
  return !isPrecompile(account);
}

/** Adds the account to those that may differ from the host. */
@inline
export function markDirty(account: usize): void {
  if (!(load<u32>(account, A_MARKS) & MARK_DIRTY)) addDirty(account);
}

function addDirty(account: usize): void {
  store<u32>(account, load<u32>(account, A_MARKS) | MARK_DIRTY, A_MARKS);
  if (dirtyCount == dirtyRoom) {
    const more = max<u32>(dirtyRoom << 1, 256);
    dirtyAt = reallocate(dirtyAt, dirtyRoom << 2, dirtyRoom << 2, more << 2);
    dirtyRoom = more;
  }
  store<u32>(dirtyAt + (dirtyCount << 2), u32(account));
  dirtyCount++;
}

export function dirtyAccount(i: u32): usize {
  return load<u32>(dirtyAt + (i << 2));
}

export function clearDirty(): void {
  dirtyCount = 0;
}

export function addFlags(account: usize, flags: u32): void {
  const old = load<u32>(account, A_FLAGS);
  markDirty(account);
  if ((old & flags) == flags) return;
  noteFlags(account);
  store<u32>(account, old | flags, A_FLAGS);
}

/** Creates the account if needed and marks it as touched, for the removal of empty accounts. */
@inline
export function touch(account: usize): void {
  addFlags(account, ACCOUNT_EXISTS | ACCOUNT_TOUCHED);
}

/** Adds to the balance and touches the account, also with 0 wei. */
export function addBalance(account: usize, amount: usize): void {
  touch(account);
  if (isZero(amount)) {
    // One that has a balance only until a frame fails does not count.
    if (isRipemd(account) && isEmpty(account)) ripemdTouched = true;
    return;
  }
  noteBalance(account);
  add(account + A_BALANCE, account + A_BALANCE, amount);
}

export function subtractBalance(account: usize, amount: usize): void {
  touch(account);
  if (isZero(amount)) return;
  noteBalance(account);
  subtract(account + A_BALANCE, account + A_BALANCE, amount);
}

export function setNonce(account: usize, nonce: u64): void {
  touch(account);
  noteNonce(account);
  store<u64>(account, nonce, A_NONCE);
}

export function setCode(account: usize, code: usize): void {
  touch(account);
  noteCode(account);
  copy(account + A_CODE_HASH, code + C_HASH);
  store<u32>(account, u32(code), A_CODE);
}

/** Removes the account and all its slots; cannot be undone. */
export function removeAccount(account: usize): void {
  store<u32>(account, 0, A_FLAGS);
  store<u64>(account, 0, A_NONCE);
  clear(account + A_BALANCE);
  copy(account + A_CODE_HASH, EMPTY_HASH);
  store<u32>(account, u32(EMPTY_CODE), A_CODE);
  store<u64>(account, load<u64>(account, A_EPOCH) + 1, A_EPOCH);
  const marks = load<u32>(account, A_MARKS);
  if (marks & (MARK_HOST_EXISTS | MARK_HOST_STORAGE)) store<u32>(account, marks | MARK_WIPED, A_MARKS);
  markDirty(account);
}

/** Whether the account's own fields differ from the host's. */
export function accountDiffers(account: usize): bool {
  return (
    exists(account) != ((load<u32>(account, A_MARKS) & MARK_HOST_EXISTS) != 0) ||
    load<u64>(account, A_NONCE) != load<u64>(account, A_HOST_NONCE) ||
    !equal(account + A_BALANCE, account + A_HOST_BALANCE) ||
    codeDiffers(account)
  );
}

export function codeDiffers(account: usize): bool {
  return !equal(account + A_CODE_HASH, account + A_HOST_CODE_HASH);
}

/** Marks the account as equal to the host's; its slots are left to the caller. */
export function settleAccount(account: usize): void {
  let marks = load<u32>(account, A_MARKS);
  if (marks & MARK_WIPED) marks &= ~MARK_HOST_STORAGE;
  marks &= ~(MARK_DIRTY | MARK_WIPED | MARK_HOST_EXISTS);
  if (exists(account)) marks |= MARK_HOST_EXISTS;
  store<u32>(account, marks, A_MARKS);
  store<u32>(account, 0, A_DIRTY_SLOTS);
  store<u64>(account, load<u64>(account, A_NONCE), A_HOST_NONCE);
  copy(account + A_HOST_BALANCE, account + A_BALANCE);
  copy(account + A_HOST_CODE_HASH, account + A_CODE_HASH);
}
